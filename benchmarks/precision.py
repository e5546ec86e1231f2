"""How many findings of PF1xx to PF3xx in real code are true, by a table of judgements made by reading.

    python benchmarks/precision.py                  # core, bulk and the open part of further.tsv
    python benchmarks/precision.py --all            # the held-back part as well
    python benchmarks/precision.py --list           # a row for each finding, with its verdicts
    python benchmarks/precision.py --tree FOLDER    # only unpack the distributions there, for a reader
    python benchmarks/precision.py --demoted        # check corpus/demoted.tsv instead
    python benchmarks/precision.py --premises --all # how many findings that rest on each premise are true

Each distribution is unpacked into a temporary folder, and `placefix check` is run over it as a user runs it. A finding
is known by distribution, file, line and rule; `corpus/judged.tsv` has the verdicts of two readers on it:

    true    what the rule claims happens: it fails, or it trains something wrong
    style   nothing fails; the code is in another order or spelling than the recommended one
    words   the code is as the rule claims, but nothing fails and nothing is improved
    false   the claim is wrong

The second reader saw neither message nor severity. A finding counts as true where both readers say so, and as false
where they differ. The exit code is 1 where less than 95 % of the findings of severity error are true, or where a
finding has not been judged. With `--demoted` it is 1 where a fix of that table is not what its column `now` has: `unsafe`,
or `none` where the finding has no fix or is not reported.
"""

from __future__ import annotations

import argparse
import csv
import json
import re
import subprocess
import sys
import tempfile
from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE.parent)]

from corpus import fetch  # noqa: E402

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

JUDGED = HERE.parent / "corpus" / "judged.tsv"
DEMOTED = JUDGED.with_name("demoted.tsv")
VERDICTS = ("true", "style", "words", "false")
WANTED = 0.95
# What says which torch a distribution needs.
_METADATA = re.compile(r"^(?:[^/]*\.dist-info/METADATA|[^/]*/PKG-INFO|[^/]*/(?:src/)?[^/]*\.egg-info/requires\.txt)$")


@dataclass(frozen=True, order=True)
class Key:
    """Where a finding is: `line` is 1-based, `file` relative to the distribution's archive."""

    distribution: str
    file: str
    line: int
    rule: str


@dataclass(frozen=True)
class Judgement:
    """What two readers said of a finding."""

    first: str
    second: str
    why: str

    @property
    def verdict(self) -> str:
        """The verdict that counts: false where the readers differ."""
        return self.first if self.first == self.second else "false"


def read_judgements(path: Path = JUDGED) -> dict[Key, Judgement]:
    """The rows of the table. Raises ValueError for a verdict that is none, or a finding judged twice."""
    judged: dict[Key, Judgement] = {}
    with path.open(encoding="utf-8", newline="") as handle:
        for row in csv.DictReader(handle, delimiter="\t", quoting=csv.QUOTE_NONE):
            key = Key(row["distribution"], row["file"], int(row["line"]), row["rule"])
            judgement = Judgement(row["first"], row["second"], row["why"])
            if key in judged or not {judgement.first, judgement.second} <= set(VERDICTS):
                raise ValueError(f"{path.name}: {key}: judged twice, or by a word that is no verdict")
            judged[key] = judgement
    return judged


def archives(*, held_back: bool) -> Iterator[Path]:
    """The distributions that are checked. Raises fetch.FetchError."""
    yield from fetch.fetch(fetch.CORE).values()
    yield from fetch.fetch(fetch.BULK).values()
    wanted = {pin.sha256 for pin in fetch.read_further(held_back=held_back)}
    yield from (path for digest, path in fetch.fetch(fetch.FURTHER).items() if digest in wanted)


def unpack(archive: Path, folder: Path) -> None:
    """Write the Python files, the notebooks and the metadata of a distribution below `folder`."""
    for name, data in fetch.read_archive(archive):
        path = folder / name
        wanted = name.endswith((".py", ".ipynb")) or _METADATA.search(name)
        if wanted and path.resolve().is_relative_to(folder.resolve()):
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(data)


def findings(tree: Path) -> Iterator[tuple[Key, str, str]]:
    """Each finding of PF1xx to PF3xx below `tree`, which has a folder for each distribution: its key, severity and message."""
    for folder in sorted(tree.iterdir()):
        for key, found in _checked(folder, ["."], "PF1,PF2,PF3"):
            yield key, found["severity"], found["message"]


def _checked(folder: Path, paths: Sequence[str], select: str) -> Iterator[tuple[Key, dict[str, Any]]]:
    """The findings in files of one distribution, each with its key, as `--output-format json` prints them."""
    command = [sys.executable, "-m", "placefix", "check", "--isolated", "--no-cache", "--exit-zero", "--quiet"]
    command += ["--select", select, "--output-format", "json", *paths]
    done = subprocess.run(command, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, check=False)
    for found in json.loads(done.stdout):
        path = Path(found["filename"])
        file = (path.relative_to(folder.resolve()) if path.is_absolute() else path).as_posix()
        yield Key(folder.name, file, found["location"]["row"], found["code"]), found


def read_demoted(path: Path = DEMOTED) -> dict[Key, str]:
    """The fixes that are no longer safe, each with what it is now: `unsafe` or `none`."""
    with path.open(encoding="utf-8", newline="") as handle:
        rows = csv.DictReader(handle, delimiter="\t", quoting=csv.QUOTE_NONE)
        return {Key(row["distribution"], row["file"], int(row["line"]), row["rule"]): row["now"] for row in rows}


def report_demoted(tree: Path) -> int:
    """Print the rows of the table that are not true of the distributions below `tree`; 1 where there are some."""
    demoted = read_demoted()
    files: dict[str, dict[str, None]] = {}
    for key in demoted:
        files.setdefault(key.distribution, {})[key.file] = None
    now: dict[Key, set[str]] = {key: set() for key in demoted}
    for distribution, paths in files.items():
        for key, found in _checked(tree / distribution, list(paths), ",".join(sorted({k.rule for k in demoted}))):
            if key in now:
                now[key].add(found["fix"]["applicability"] if found["fix"] else "none")
    wrong = {key: fixes or {"none"} for key, fixes in now.items() if demoted[key] not in (fixes or {"none"})}
    for key, fixes in wrong.items():
        print(key.distribution, f"{key.file}:{key.line}", key.rule, f"{demoted[key]} -> {'/'.join(fixes)}", sep="\t")
    print(f"{len(demoted)} fixes, {len(wrong)} not as the table has them")
    return 1 if wrong else 0


def main(arguments: Sequence[str]) -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--all", action="store_true", help="also the distributions that are held back")
    parser.add_argument("--list", action="store_true", help="print each finding with its verdicts")
    parser.add_argument("--tree", type=Path, help="unpack the distributions into this folder, and do no more")
    parser.add_argument("--premises", action="store_true", help="print the table of docs/safety.md instead")
    parser.add_argument(
        "--demoted", action="store_true", help="check the table of fixes that are no longer safe instead"
    )
    asked = parser.parse_args(arguments)
    with tempfile.TemporaryDirectory() as scratch:
        tree = asked.tree or Path(scratch)
        wanted = {key.distribution for key in read_demoted()} if asked.demoted else None
        for archive in archives(held_back=asked.all or asked.demoted):
            if wanted is None or archive.name in wanted:
                unpack(archive, tree / archive.name)
        if asked.demoted and not asked.tree:
            return report_demoted(tree)
        if asked.premises and not asked.tree:
            return report_premises(tree)
        return 0 if asked.tree else report(tree, listed=asked.list)


def report_premises(tree: Path) -> int:
    """Print, for each premise of a fix, the judged findings below `tree` that rest on it, and how many of them are true; 0."""
    judged = read_judgements()
    counts: dict[str, Counter[str]] = {}
    for folder in sorted(tree.iterdir()):
        for key, found in _checked(folder, ["."], "PF1,PF2,PF3"):
            for premise in (found["fix"] or {}).get("premises", ()) if key in judged else ():
                counts.setdefault(premise["key"], Counter())[judged[key].verdict] += 1
    print("| Premise | Judged | True | Style or words | False |", "| --- | --- | --- | --- | --- |", sep="\n")
    for premise_key, verdicts in sorted(counts.items(), key=lambda pair: (-pair[1].total(), pair[0])):
        harmless = verdicts["style"] + verdicts["words"]
        link = f"`{premise_key}`"
        print(f"| {link} | {verdicts.total()} | {verdicts['true']} | {harmless} | {verdicts['false']} |")
    return 0


def report(tree: Path, *, listed: bool) -> int:
    """Print the shares; 1 where they fall short."""
    judged = read_judgements()
    verdicts: dict[str, Counter[str]] = {}
    for key, severity, message in findings(tree):
        judgement = judged.get(key)
        verdict = judgement.verdict if judgement else "not judged"
        verdicts.setdefault(severity, Counter())[verdict] += 1
        if listed or judgement is None:
            print(key.distribution, f"{key.file}:{key.line}", key.rule, severity, verdict, message, sep="\t")
    for severity, counts in sorted(verdicts.items()):
        total = counts.total()
        shares = ", ".join(f"{name} {counts[name]} ({counts[name] / total:.1%})" for name in (*VERDICTS, "not judged"))
        print(f"{severity}: {total} findings: {shares}")
    errors = verdicts.get("error", Counter())
    unjudged = sum(counts["not judged"] for counts in verdicts.values())
    return 1 if unjudged or errors["true"] < WANTED * errors.total() else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
