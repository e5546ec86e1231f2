"""How much of real CUDA-only code `placefix apply` makes portable, and what it refuses.

    python benchmarks/portability.py             # the pinned corpus and the bulk distributions
    python benchmarks/portability.py --only core
    python benchmarks/portability.py --files     # with every file and its spots

The files counted are those that call `.cuda()` or use a form that works with CUDA only, by
the scan of `hardcoded.py`, which shares no code with placefix. After `apply` (safe fixes, and
again with `--unsafe-fixes`), which reads what a file imports from its own distribution, each is one of

    handled   no spot is left
    refused   every spot that is left has a finding with its reason
    stands    what is left stays by right and is no finding, and `placefix inventory` says why: code that needs CUDA
    silent    a spot is left of which nothing is said
    broken    the output does not parse, a second run changes it, or a name is read that
              nothing defines (must be 0)

and what could not be parsed at all is counted apart. Reasons are listed with the number of
files and spots, the largest first.
"""

from __future__ import annotations

import argparse
import ast
import re
import sys
import warnings
from collections import Counter, defaultdict
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE.parent), str(HERE)]

from corpus import fetch  # noqa: E402

import hardcoded  # noqa: E402
from packed import Packed  # noqa: E402
from placefix import cuda_inventory, engine  # noqa: E402
from placefix.engine import Changed, Failed, Skipped  # noqa: E402
from placefix.facts.program.repository import Home, Project  # noqa: E402
from placefix.rules import RULES  # noqa: E402
from placefix.rules.cuda.cuda_only_functions import CudaOnly  # noqa: E402
from placefix.rules.cuda.intentional_uses import IntentionalUses  # noqa: E402
from placefix.rules.cuda.use_sites import Cuda  # noqa: E402
from placefix.rules.registry import context_of  # noqa: E402
from placefix.settings import Settings  # noqa: E402
from placefix.source import Source, SourceError  # noqa: E402

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from placefix.diagnostic import Diagnostic

CLASSES = ("handled", "refused", "stands", "silent", "broken")
_MAYBE = re.compile(rb"\.cuda\b|[\"']cuda|torch\.cuda\.")


@dataclass
class Verdict:
    """What became of one file: its class, and for each spot left (row, class, reason)."""

    name: str
    verdict: str
    before: int
    left: list[tuple[int, str, str]] = field(default_factory=list)


def parsed(text: str) -> ast.Module | None:
    """The tree of a text, None where it is no Python 3."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            return ast.parse(text)
        except (SyntaxError, ValueError, RecursionError):
            return None


def judge(name: str, data: bytes, home: Home, *, unsafe: bool) -> Verdict | None:
    """The verdict on one file; None where it is none of those that are counted."""
    try:
        source = Source.from_bytes(data, name)
    except SourceError:
        return None
    tree = parsed(source.text)
    before = hardcoded.spots(tree) if tree is not None else []
    if tree is not None and not before:
        return None
    outcome = engine.fix(source, Settings(), RULES, unsafe=unsafe, home=home)
    if isinstance(outcome, Skipped):
        return Verdict(name, "unparsed", 0)
    if isinstance(outcome, Failed):
        return Verdict(name, "broken", len(before), [(0, "broken", outcome.error)])
    text = outcome.text if isinstance(outcome, Changed) else source.text
    after = parsed(text)
    fault = ""
    if after is None:
        return Verdict(name, "broken", len(before), [(0, "broken", "the output does not parse")])
    current = Source(text, name)
    if isinstance(outcome, Changed):
        if tree is not None and (lost := hardcoded.undefined(after) - hardcoded.undefined(tree)):
            fault = f"undefined: {sorted(lost)}"
        elif isinstance(engine.fix(current, Settings(), RULES, unsafe=unsafe, home=home), Changed):
            fault = "a second run changes it"
    if fault:
        return Verdict(name, "broken", len(before), [(0, "broken", fault)])
    left = list(_left(current, after, outcome.remaining, home))
    classes = {c for _, c, _ in left}
    verdict = next((c for c in ("silent", "refused", "stands") if c in classes), "handled")
    return Verdict(name, verdict, len(before), left)


def _left(
    source: Source, tree: ast.Module, remaining: Iterable[Diagnostic], home: Home
) -> Iterator[tuple[int, str, str]]:
    found = [(source.location(d.span.start).row, source.location(d.span.end).row, d) for d in remaining]
    context = context_of(source, tree, Settings(), home)
    uses, kept, only = context.get(Cuda), context.get(IntentionalUses), context.get(CudaOnly)
    reasons = {s.node: reason for s in uses.sites if (reason := kept.reason_to_keep(s))}
    reasons |= {s.node: reason for s, _ in only.sites() if (reason := only.reason_to_keep(s))}
    ties = cuda_inventory.find_usages(source, remaining, Settings())
    intended = {
        tie.row: reason.text
        for node, reason in reasons.items()
        for tie in ties
        if node.lineno <= tie.row <= (node.end_lineno or 0) and reason.text in tie.note
    }
    for spot in hardcoded.spots(tree):
        rows = [(spot.first, spot.last), *spot.tests]
        near = [d for first, last, d in found if any(first <= b and last >= a for a, b in rows) and d.code[:3] == "PF4"]
        noted = [d for d in near if d.note] or [d for d in near if d.fix is not None]
        if noted:
            first = noted[0]
            yield spot.first, "refused", first.note or f"unsafe: {first.fix.premise if first.fix else ''}"
        elif why := next((intended[r] for r in range(spot.first, spot.last + 1) if r in intended), ""):
            yield spot.first, "stands", why
        else:
            guarded = "guarded " if spot.tests else ""
            yield spot.first, "silent", f"{guarded}{spot.what}"


def _job(work: Work) -> list[tuple[Verdict | None, Verdict | None]]:
    """The verdicts on the files of one distribution, with safe fixes and with all."""
    packed = Packed(work.archive)
    project = Project(packed, (packed.root,))
    found = []
    for member, name in work.members.items():
        path = f"{packed.root}/{member}"
        data = packed.held[path]
        if _MAYBE.search(data):
            safe, every = (judge(name, data, project.home(path), unsafe=unsafe) for unsafe in (False, True))
            found.append((safe, every))
    return found


@dataclass
class Work:
    """Files of one distribution that may be counted: their paths in it, and how they are called."""

    archive: Path
    members: dict[str, str]


def distributions(only: str, match: str) -> Iterator[Work]:
    """What is to be judged, the files of a distribution together."""
    if only in ("core", "all"):
        archives = fetch.fetch(fetch.CORE)
        wanted: dict[str, dict[str, str]] = defaultdict(dict)
        for member in fetch.read_manifest():
            wanted[member.sha256][member.path] = member.name
        for digest, members in wanted.items():
            yield Work(archives[digest], {path: name for path, name in members.items() if re.search(match, name)})
    if only in ("bulk", "all"):
        for archive in fetch.fetch(fetch.BULK).values():
            names = (name for name, _ in fetch.read_archive(archive) if name.endswith(".py"))
            called = {name: f"{archive.name.partition('-')[0]}/{name}" for name in names}
            yield Work(archive, {name: shown for name, shown in called.items() if re.search(match, shown)})


def shape(reason: str) -> str:
    """A reason without the names that make it one file's."""
    return re.sub(r"cuda:\d+(, cuda:\d+)*", "cuda:N", re.sub(r"`[^`]*`", "`…`", reason))


def report(title: str, verdicts: Sequence[Verdict], *, listed: bool) -> None:
    """Print one table: shares, then reasons."""
    counted = [v for v in verdicts if v.verdict in CLASSES]
    print(
        f"\n{title}: {len(counted)} files, {sum(v.before for v in counted)} spots; {len(verdicts) - len(counted)} not parsed"
    )
    totals = Counter(v.verdict for v in counted)
    for name in CLASSES:
        print(f"  {name:8} {totals[name]:5} {100 * totals[name] / max(len(counted), 1):6.1f} %")
    said = sum(totals[name] for name in CLASSES[:3])
    print(f"  said     {said:5} {100 * said / max(len(counted), 1):6.1f} %  (handled, refused or stands)")
    reasons: dict[tuple[str, str], list[str]] = defaultdict(list)
    for verdict in counted:
        for _, kind, reason in verdict.left:
            reasons[kind, shape(reason)].append(verdict.name)
    for (kind, reason), names in sorted(reasons.items(), key=lambda r: (-len(set(r[1])), r[0])):
        print(f"  {len(set(names)):5} files {len(names):5} spots  {kind}: {reason}")
    if listed:
        for verdict in counted:
            for row, kind, reason in verdict.left:
                print(f"{verdict.name}:{row}: {kind}: {reason}")


def main(arguments: Sequence[str]) -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", choices=("core", "bulk", "all"), default="all")
    parser.add_argument("--files", action="store_true", help="list every spot that is left")
    parser.add_argument("--match", default="", help="only files whose name matches this expression")
    asked = parser.parse_args(arguments)
    with ProcessPoolExecutor() as pool:
        pairs = [pair for found in pool.map(_job, distributions(asked.only, asked.match)) for pair in found]
    report("safe fixes", [v for v, _ in pairs if v is not None], listed=asked.files)
    report("--unsafe-fixes", [v for _, v in pairs if v is not None], listed=asked.files)
    return 1 if any(v is not None and v.verdict == "broken" for pair in pairs for v in pair) else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
