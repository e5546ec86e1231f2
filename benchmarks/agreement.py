"""Whether `apply` does what `check` says: nothing that it called unsafe or refused, and all that it called safe.

    python benchmarks/agreement.py [--mutants N] [FILE …]

Asked of every case, every script of corpus/scripts, N mutants of each of these (5) and of the files that are named. A finding
that was refused counts as fixed where its code was applied there, or where the line has changed that it stands on and no safe fix says so; what was refused
for the order of statements and follows when that is repaired is left to `check --preview`. A finding that was called safe
is fixed, or a safe fix was applied that overlaps its own; and no safe finding is left. What `apply` fixes after its first
round is what `check --preview` lists, and the other way round. No more is counted as fixed than was found. Prints
how many files were asked, changed and changed otherwise than said, and fails if one was.
"""

from __future__ import annotations

import argparse
import ast
import random
import sys
from collections import Counter
from difflib import SequenceMatcher
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING

sys.path.insert(0, str(Path(__file__).resolve().parent))

from mutators import mutants
from placefix import engine, preview
from placefix.diagnostic import Applicability, Delete, Diagnostic, Edit, Insert, Move, Rule, Span, Unwrap
from placefix.engine import Changed
from placefix.rules import RULES
from placefix.settings import Settings
from placefix.source import Source, SourceError

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

ROOT = Path(__file__).resolve().parent.parent
USUAL = tuple(rule for rule in RULES if not rule.opt_in)
_SCOPES = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)


def disagreements(source: Source, settings: Settings | None = None, rules: Sequence[Rule] = USUAL) -> list[str]:
    """What plain `apply` does that plain `check` did not say: by lines that stay, which need no knowledge of the edits."""
    settings = settings or Settings()
    try:
        said = engine.check(source, settings, rules)
    except engine.ParseError:
        return []
    outcome = engine.fix(source, settings, rules)
    if not isinstance(outcome, Changed):
        return [] if not any(_is_safe(d) for d in said) or isinstance(outcome, engine.Unchanged) else [repr(outcome)]
    found: list[str] = []
    safe = {(d.code, d.span) for d in said if _is_safe(d)}
    touched = {
        (d.code, span) for d in said if d.fix is not None and _is_safe(d) for e in d.fix.edits for span in _spans(e)
    }
    held = [d for d in said if not _is_safe(d)]
    old, new = source.text.splitlines(), outcome.text.splitlines()
    kept = SequenceMatcher(None, old, new, autojunk=False).get_matching_blocks()
    unchanged = {block.a + row + 1 for block in kept for row in range(block.size)}
    was, now = Counter(old), Counter(new)
    unchanged |= {row for row, line in enumerate(old, 1) if now[line] >= was[line]}  # it has moved
    order = {d.code for d in outcome.applied if d.fix is not None and all(isinstance(e, Move) for e in d.fix.edits)}
    held = [d for d in held if d.fix is not None or d.code not in order]  # `check --preview` lists them
    if len(outcome.applied) - outcome.followed > len(said):
        found.append(f"{len(outcome.applied) - outcome.followed} fixed of {len(said)} found")
    found += _unfixed(source, said, outcome)
    found += _otherwise_previewed(source, said, outcome, settings, rules)
    for d in outcome.applied:  # of the first round, by where it stands; of later ones it is what their lines became
        if (d.code, d.span) in {(h.code, h.span) for h in held} - safe:
            found.append(f"{d.code} applied though it was not safe: {source.location(d.span.start)}")
    for d in held:
        rows = range(source.line_of(d.span.start), source.line_of(d.span.end) + 1)
        if not set(rows) <= unchanged and not any(
            source.line_of(s.start) in rows or source.line_of(s.end) in rows or _around(source, s, d.span)
            for _, s in safe | touched
        ):
            found.append(f"{d.code} {source.location(d.span.start)} was held, and its line has changed")
    return found


def _unfixed(source: Source, said: Sequence[Diagnostic], outcome: Changed) -> Iterator[str]:
    """The safe findings that were not fixed, though no applied fix of another one overlaps theirs; and those that are left."""
    safe = [d for d in said if _is_safe(d)]
    first = {(d.code, d.span) for d in outcome.applied} & {(d.code, d.span) for d in safe}
    done = [d for d in safe if (d.code, d.span) in first]
    later = Counter(d.code for d in outcome.applied)  # of a later round, where it stands by then
    later.subtract(code for code, _ in first)
    for d in safe:
        if (d.code, d.span) in first:
            continue
        later[d.code] -= 1
        if later[d.code] < 0 and not any(_overlap(source, d, other) for other in done):
            yield f"{d.code} {source.location(d.span.start)} was called safe, and not fixed"
    for d in outcome.remaining:
        if _is_safe(d):
            yield f"{d.code} {Source(outcome.text).location(d.span.start)} is safe, and left"


def _overlap(source: Source, one: Diagnostic, other: Diagnostic) -> bool:
    """Whether two findings or their fixes touch a line of the same statement."""

    def lines(d: Diagnostic) -> set[int]:
        edits = d.fix.edits if d.fix is not None else ()
        spans = [d.span, *(s for e in edits for s in _spans(e))]
        if d.rule.check_suppressions is not None:  # the comment is for the next line if it is alone on its own
            end = source.text.find("\n", d.span.end) + 1
            spans += [Span(end, end)] if end else []
        for e in edits:
            if isinstance(e, Move):  # and all that it moves across
                ends = (*e.statements, e.anchor)
                spans.append(Span(min(s.start for s in ends), max(s.end for s in ends)))
        return {row for s in spans for row in range(source.line_of(s.start), source.line_of(s.end) + 1)}

    return not lines(one).isdisjoint(lines(other)) or _around(source, one.span, other.span)


def _otherwise_previewed(
    source: Source, said: Sequence[Diagnostic], outcome: Changed, settings: Settings, rules: Sequence[Rule]
) -> Iterator[str]:
    """What is fixed after the first round and not previewed, by code and line; and what is previewed and not fixed."""
    rounds = preview.LaterRounds(source)
    again = engine.fix(source, settings, rules, choice=rounds)
    if not isinstance(again, Changed) or again.text != outcome.text:
        yield "a preview comes to another text"
    known = {(d.code, source.line_of(d.span.start)) for d in said if _is_safe(d)}
    listed = {(d.code, row) for d, row in rounds.applied(again)} - known
    count = Counter(d.code for d in outcome.applied)
    codes = {code for code, _ in listed} | {code for code, _ in known}
    for code in count.keys() - codes:
        yield f"{code} was fixed, and neither found nor previewed"
    for code in {code for code, _ in listed} - count.keys():
        yield f"{code} was previewed, and not fixed"


def _is_safe(d: Diagnostic) -> bool:
    return d.fix is not None and d.fix.applicability is Applicability.SAFE


def _spans(edit: Edit) -> list[Span]:
    if isinstance(edit, (Move, Delete)):
        return [*edit.statements]
    return [edit.anchor] if isinstance(edit, Insert) else [edit.statement if isinstance(edit, Unwrap) else edit.span]


def _around(source: Source, fixed: Span, held: Span) -> bool:
    """Whether both stand in one statement, or one that is fixed is a guard around what is held, or a statement moves with what is in it."""
    tree = ast.parse(source.text)
    spans = [
        source.span(node) for node in ast.walk(tree) if isinstance(node, ast.stmt) and not isinstance(node, _SCOPES)
    ]
    return any(s.start <= fixed.start < s.end and s.start <= held.start < s.end for s in spans)


def mutated(text: str, number: int) -> list[str]:
    """Some of the programs that a bug makes of a text, the same ones every time; none where it is no Python."""
    try:
        found = [mutant.text for mutant in islice(mutants(text), 200)]
    except (SyntaxError, ValueError):
        return []
    return random.Random(len(text)).sample(found, min(number, len(found)))


def main() -> int:
    parser = argparse.ArgumentParser()
    parser.add_argument("--mutants", type=int, default=5)
    parser.add_argument("files", nargs="*", type=Path)
    options = parser.parse_args()
    cases = sorted((ROOT / "tests" / "cases").glob("*/*.py"))
    asked = wrong = 0
    for path in (*cases, *sorted((ROOT / "corpus" / "scripts").glob("*.py")), *options.files):
        try:
            source = Source.from_bytes(path.read_bytes(), path.name)
        except SourceError:
            continue
        for number, text in enumerate([source.text, *mutated(source.text, options.mutants)]):
            asked += 1
            found = disagreements(Source(text, path.name))
            wrong += bool(found)
            if found:
                print(f"{path.parent.name}/{path.name}, mutant {number}: {found}")
    print(f"{asked} programs, {wrong} changed otherwise than `check` said")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
