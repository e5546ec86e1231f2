"""Flags of callers that no code would read after the fixes of all guards that test them.

``self.use_gpu`` holds an argument of the constructor. If each test of it is a guard that goes, and no new device follows it, a part of the
interface is without effect: whether it stays is for its authors to decide.
"""

from __future__ import annotations

import ast
import re
from typing import TYPE_CHECKING, NamedTuple

from placefix.diagnostic import Insert, Replace, Unwrap
from placefix.facts import premises
from placefix.facts.context import FileAnalysis
from placefix.facts.program.arguments import self_class
from placefix.facts.program.ast_names import parameters
from placefix.facts.program.ast_walk import walk
from placefix.facts.wording import unite

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from placefix.diagnostic import Edit, Span
    from placefix.facts.devices.cuda_uses import Guard
    from placefix.facts.program.expression_index import Index
    from placefix.facts.program.tree import Scope
    from placefix.facts.wording import Premise
    from placefix.rules.cuda.guard_moves import Guarded


class _CallerFlag(NamedTuple):
    """A flag that callers set. text: a parameter, or the attribute of ``self`` that holds one; function: whose parameter it is."""

    text: str
    function: Scope


class FlagReaders(FileAnalysis):
    """Answers for one file."""

    def settled(self, found: Sequence[tuple[Guard, Guarded]]) -> Iterator[Guarded]:
        """The guards, each with the premise if safe fixes would leave a flag that it tests without a reader."""
        gone: dict[_CallerFlag, list[Span]] = {}
        of: list[list[_CallerFlag]] = []
        for guard, guarded in found:
            mine = list(self._left_by(guard, guarded)) if _is_safe(guarded) else []
            of.append(mine)
            for flag in mine:
                gone.setdefault(flag, []).append(self.context.span(guard.node.test))
        unread = {flag for flag, tests in gone.items() if not self._is_read(flag, tests)}
        for (_, guarded), mine in zip(found, of, strict=True):
            lost = [_premise(flag) for flag in mine if flag in unread]
            finding = guarded.finding
            yield guarded._replace(finding=finding._replace(premises=unite(finding.premises, *lost)))

    def _left_by(self, guard: Guard, guarded: Guarded) -> Iterator[_CallerFlag]:
        """The flags that the test of a guard reads, and the code that replaces it does not."""
        written = " ".join(_texts(guarded.finding.edits))
        for text in guard.test.reads if guard.test is not None else ():
            if not re.search(rf"(?<![\w.]){re.escape(text)}(?!\w)", written):
                flag = self._of_callers(text, guard.stmt.scope)
                if flag is not None:
                    yield flag

    def _of_callers(self, text: str, scope: Scope) -> _CallerFlag | None:
        """A name, or an attribute of ``self``, as a flag that callers set; None if it is none."""
        root, _, attr = text.partition(".")
        owner = scope.lookup(root)
        if owner is None or not owner.is_function:
            return None
        if not attr:
            return _CallerFlag(text, owner) if text in parameters(owner.function.args) else None
        cls = self_class(owner, root)
        for write in self.index.writes.get(text, ()) if cls is not None and "." not in attr else ():
            function = write.stmt.scope
            given = parameters(function.function.args) if function.is_function and function.parent is cls else ()
            if write.value is not None and any(isinstance(p, ast.Name) and p.id in given for p in walk(write.value)):
                return _CallerFlag(text, function)
        return None

    def _is_read(self, flag: _CallerFlag, tests: Sequence[Span]) -> bool:
        """Whether anything reads a flag but some tests."""
        text, function = flag
        attr = text.partition(".")[2]
        reads = attribute_loads(self.index, attr) if attr else self.index.loads(text, function)
        if not attr and self.index.may_read_by_text(function):
            return True
        return any(not _is_in(self.context.span(node), tests) for node in reads)


def attribute_loads(index: Index, attr: str) -> list[ast.Attribute]:
    """The places of a file that read an attribute of that name, of any object."""
    return [node for _, node, _ in index.attributes(lambda one: one == attr) if isinstance(node.ctx, ast.Load)]


def _is_safe(guarded: Guarded) -> bool:
    """Whether a guard goes with a safe fix."""
    finding = guarded.finding
    return guarded.collapses and bool(finding.edits) and not finding.premises and not finding.why_not


def _is_in(span: Span, others: Sequence[Span]) -> bool:
    return any(other.start <= span.start and span.end <= other.end for other in others)


def _texts(edits: Sequence[Edit]) -> Iterator[str]:
    """The code that edits write."""
    for edit in edits:
        if isinstance(edit, Insert) or (isinstance(edit, Replace) and edit.text != edit.expect):
            yield edit.text
        elif isinstance(edit, Unwrap):
            yield from (one.text for one in edit.replace)


def _premise(flag: _CallerFlag) -> Premise:
    cls = flag.function.parent if flag.function.name == "__init__" else None
    named = cls.name if cls is not None and cls.is_class else flag.function.name
    return premises.FLAG_UNREAD(flag=flag.text, function=named)
