"""docs/premises.md: every premise that a fix can rest on, with a rule that has it in a case or a script of the corpus.

Run it after a change of `placefix/facts/premises.py`: `python docs/tools/premises.py`. tests/test_wording.py compares the page with the rows.
"""

from __future__ import annotations

import json
import subprocess
import sys
from collections import defaultdict
from pathlib import Path

from placefix.facts import premises
from placefix.facts.wording import Premise

ROOT = Path(__file__).parent.parent.parent
PAGE = ROOT / "docs" / "premises.md"
HEAD = """\
# Premises

A fix is safe exactly if it rests on no premise. An unsafe fix relies on each of these sentences that it prints, and the code does not show
that they hold. `--output-format json` has the key of each beside its text (`fix.premises`). In a sentence, a word in braces stands for a name
or a text of the code. *Example* is a rule whose cases have the premise; `–` if none has.

| Key | Sentence | Example |
| --- | --- | --- |
"""


def found() -> dict[str, str]:
    """The first rule, by its code, whose findings in the cases and scripts have a premise, by the key."""
    rules: dict[str, set[str]] = defaultdict(set)
    command = [sys.executable, "-m", "placefix", "check", "--isolated", "--no-cache", "--output-format", "json"]
    for extra in ([], ["--device-idiom", "accelerator", "--target-torch", "2.7"], ["--add-placement"]):
        paths = [ROOT / "tests" / "cases", ROOT / "corpus" / "scripts"]
        done = subprocess.run([*command, *extra, *map(str, paths)], capture_output=True, text=True, check=False)
        for finding in json.loads(done.stdout):
            for premise in (finding["fix"] or {}).get("premises", ()):
                rules[premise["key"]].add(finding["code"])
    return {key: min(codes) for key, codes in rules.items()}


def page(example: dict[str, str]) -> str:
    """The page as text. example: a rule's code by the key of a premise."""
    rows = sorted((row for row in vars(premises).values() if isinstance(row, Premise)), key=lambda row: row.key)
    lines = [f"| `{row.key}` | {row.template} | {_link(example.get(row.key, ''))} |" for row in rows]
    return HEAD + "\n".join(lines) + "\n"


def _link(code: str) -> str:
    return f"[{code}](rules/{code}.md)" if code else "–"


if __name__ == "__main__":
    PAGE.write_text(page(found()), "utf-8")
