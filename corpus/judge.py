"""What placefix does to a file of the corpus, in the form in which it is committed and compared."""

from __future__ import annotations

import csv
import hashlib
import re
from collections import Counter
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

import placefix
from placefix import engine
from placefix.diagnostic import Severity
from placefix.engine import Changed, Failed, Skipped, Unchanged
from placefix.report.diff import patch
from placefix.rules import RULES
from placefix.settings import Settings
from placefix.source import Source, SourceError

if TYPE_CHECKING:
    from collections.abc import Iterable

    from placefix.diagnostic import Diagnostic, Rule

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent
SCRIPTS = HERE / "scripts"
REPOSITORIES = HERE / "repositories"
EXPECTED = HERE / "expected.tsv"

_COLUMNS = ("member", "sha256", "outcome", "findings", "fixed", "left", "result")


@dataclass(frozen=True)
class Verdict:
    """A row of expected.tsv; all cells are text.

    sha256: of the member's bytes. outcome: changed, unchanged, skipped or failed. findings: in
    the file as it is, "CODE/applicability:count". fixed: codes of the applied safe fixes with
    counts. left: findings in the fixed text. result: hash of the fixed bytes, or what failed.
    """

    member: str
    sha256: str
    outcome: str
    findings: str = ""
    fixed: str = ""
    left: str = ""
    result: str = ""

    def row(self) -> str:
        return "\t".join(getattr(self, name) for name in _COLUMNS)


@lru_cache(maxsize=4)  # the tests and the verdicts each begin with it
def fix(name: str, data: bytes, rules: tuple[Rule, ...] = RULES) -> tuple[bytes, engine.Outcome]:
    """The file's bytes after the safe fixes, and the outcome; the same bytes if nothing is done."""
    try:
        source = Source.from_bytes(data, name)
    except SourceError as error:
        return data, Skipped(str(error))
    outcome = engine.fix(source, Settings(), rules)
    return (source.encode(outcome.text) if isinstance(outcome, Changed) else data), outcome


def judge(name: str, data: bytes) -> Verdict:
    """The verdict on one member."""
    after, outcome = fix(name, data)
    digest = hashlib.sha256(data).hexdigest()
    if isinstance(outcome, Skipped):
        return Verdict(name, digest, "skipped")  # the reason is in the words of this Python
    if isinstance(outcome, Failed):
        return Verdict(name, digest, "failed", result=outcome.error)
    if isinstance(outcome, Unchanged):
        return Verdict(name, digest, "unchanged", findings=_count(outcome.remaining))
    source = Source.from_bytes(data, name)
    return Verdict(
        name,
        digest,
        "changed",
        findings=_count(engine.check(source, Settings(), RULES)),
        fixed=join_counts(Counter(d.code for d in outcome.applied)),
        left=_count(outcome.remaining),
        result=hashlib.sha256(after).hexdigest()[:16],
    )


def _count(found: Iterable[Diagnostic]) -> str:
    return join_counts(Counter(f"{d.code}/{_promise(d)}" for d in found))


def _promise(found: Diagnostic) -> str:
    if found.severity is Severity.NOTE:
        return "note"
    return found.fix.applicability.value if found.fix else "none"


def join_counts(counts: Counter[str]) -> str:
    return " ".join(f"{key}:{count}" for key, count in sorted(counts.items()))


def read_expected(path: Path = EXPECTED) -> dict[str, Verdict]:
    """The committed verdicts by member name; empty where there are none yet."""
    if not path.exists():
        return {}
    with path.open(encoding="utf-8", newline="") as handle:
        rows = csv.DictReader(handle, delimiter="\t", quoting=csv.QUOTE_NONE)
        return {row["member"]: Verdict(**{name: row[name] or "" for name in _COLUMNS}) for row in rows}


def write_expected(verdicts: Iterable[Verdict], path: Path = EXPECTED) -> None:
    lines = ["\t".join(_COLUMNS), *(v.row() for v in sorted(verdicts, key=lambda v: v.member))]
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")


def script_diff(path: Path) -> bytes:
    """What `placefix apply --diff` prints for a script, from the top of the repository; may be empty."""
    before = path.read_bytes()
    after, _ = fix(path.name, before)
    return b"" if before == after else patch(path.relative_to(ROOT).as_posix().encode(), before, after)


def repositories() -> list[Path]:
    """The small repositories of our own, each a folder with its reviewed diff beside it."""
    return sorted(path for path in REPOSITORIES.iterdir() if path.is_dir())


def repository_diff(folder: Path) -> bytes:
    """What `placefix apply --diff` prints for a repository, from its own top folder."""
    results = placefix.fix_paths([folder], isolated=True, write=False)
    pairs = [(Path(result.absolute).relative_to(folder).as_posix(), *result.before_after()) for result in results]
    return b"".join(patch(name.encode(), before, after) for name, before, after in pairs if before != after)


@dataclass(frozen=True)
class Intent:
    """What must happen to a script: a row of scripts/INTENT.tsv."""

    script: str
    expect: str
    safe: str
    other: str
    cpu: str
    format: frozenset[str]
    why: str

    @property
    def path(self) -> Path:
        return SCRIPTS / self.script

    @property
    def diff(self) -> Path:
        return self.path.with_suffix(".diff")


def read_intents() -> list[Intent]:
    with (SCRIPTS / "INTENT.tsv").open(encoding="utf-8", newline="") as handle:
        rows = list(csv.DictReader(handle, delimiter="\t", quoting=csv.QUOTE_NONE))
    return [
        Intent(
            **{name: row[name] or "" for name in ("script", "expect", "safe", "other", "cpu", "why")},
            format=frozenset(filter(None, row["format"].split(","))),
        )
        for row in rows
    ]


def disagreements(intent: Intent) -> list[str]:
    """How what placefix does to a script differs from what must happen to it; empty if it does not."""
    data = intent.path.read_bytes()
    after, outcome = fix(intent.script, data)
    if not isinstance(outcome, Changed | Unchanged):
        return [f"{type(outcome).__name__}: {outcome}"]
    applied = Counter(d.code for d in outcome.applied) if isinstance(outcome, Changed) else Counter()
    left = Counter(d.code for d in outcome.remaining if d.severity is not Severity.NOTE)
    problems = [
        *_compare("fixed safely", intent.safe, applied),
        *_compare("reported without a safe fix", intent.other, left),
    ]
    changed = after != data
    if intent.expect != "any" and changed != (intent.expect == "fixed"):
        problems.append(f"expected to be {intent.expect}, but the text {'changes' if changed else 'stays'}")
    return problems


def _compare(what: str, pattern: str, found: Counter[str]) -> list[str]:
    """`found` against words like PF201, PF201*3 (exactly so many), PF201|PF206 and PF401? (allowed)."""
    problems = []
    allowed: set[str] = set()
    for word in pattern.split():
        choices = set(re.findall(r"PF\d+", word))
        allowed |= choices
        exactly = re.search(r"\*(\d+)$", word)
        seen = sum(found[code] for code in choices)
        if exactly and seen != int(exactly[1]):
            problems.append(f"{what} {seen} times: {word}")
        elif not seen and not word.endswith("?"):
            problems.append(f"not {what}: {word}")
    return problems + [f"not expected to be {what}: {code}" for code in sorted(found.keys() - allowed)]
