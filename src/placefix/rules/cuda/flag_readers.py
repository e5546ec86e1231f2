"""Arguments that no code would read after the fixes of all guards that test them.

``self.use_gpu`` holds an argument of the constructor. If each test of it is a guard that goes, and no new device follows it, the argument
is a part of the interface without effect: whether it stays is for its authors to decide.
"""

from __future__ import annotations

import ast
import re
from typing import TYPE_CHECKING, NamedTuple

from placefix.diagnostic import Insert, Replace, Unwrap
from placefix.facts import premises
from placefix.facts.program.arguments import self_class
from placefix.facts.program.ast_names import parameters
from placefix.facts.program.ast_walk import walk
from placefix.facts.wording import unite

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from placefix.diagnostic import Edit, Span
    from placefix.facts.context import AnalysisContext
    from placefix.facts.devices.cuda_uses import Guard
    from placefix.facts.program.expression_index import Index
    from placefix.facts.program.tree import Scope
    from placefix.facts.wording import Premise
    from placefix.rules.cuda.guard_moves import Guarded


class _Argument(NamedTuple):
    """An argument that guards test. function: whose it is; attribute: ``self.use_gpu``, in which it is kept; "" where the guards read its name."""

    name: str
    function: Scope
    attribute: str = ""


class FlagReaders:
    """Answers for one file."""

    def __init__(self, context: AnalysisContext) -> None:
        self.context = context
        self.index = context.index

    def settled(self, found: Sequence[tuple[Guard, Guarded]]) -> Iterator[Guarded]:
        """The guards, each with the premise if safe fixes of all of them would leave an argument without a reader."""
        gone: dict[_Argument, list[Span]] = {}
        of: list[list[_Argument]] = []
        for guard, guarded in found:
            mine = list(self._left_by(guard, guarded)) if _is_safe(guarded) else []
            of.append(mine)
            for argument in mine:
                gone.setdefault(argument, []).append(self.context.span(guard.node.test))
        unread = {argument for argument, tests in gone.items() if not self._is_read(argument, tests)}
        for (_, guarded), mine in zip(found, of, strict=True):
            lost = [_premise(argument) for argument in mine if argument in unread]
            finding = guarded.finding
            yield guarded._replace(finding=finding._replace(premises=unite(finding.premises, *lost)))

    def _left_by(self, guard: Guard, guarded: Guarded) -> Iterator[_Argument]:
        """The arguments that the test of a guard reads, and the code that replaces it does not."""
        written = " ".join(_texts(guarded.finding.edits))
        for text in guard.test.reads if guard.test is not None else ():
            if not re.search(rf"(?<![\w.]){re.escape(text)}(?!\w)", written):
                yield from self._arguments(text, guard.stmt.scope)

    def _arguments(self, text: str, scope: Scope) -> Iterator[_Argument]:
        """The arguments that a name, or an attribute of ``self``, holds."""
        root, _, attr = text.partition(".")
        owner = scope.lookup(root)
        if owner is None or not owner.is_function:
            return
        if not attr:
            if text in parameters(owner.function.args):
                yield _Argument(text, owner)
            return
        cls = self_class(owner, root)
        for write in self.index.writes.get(text, ()) if cls is not None and "." not in attr else ():
            function = write.stmt.scope
            given = parameters(function.function.args) if function.is_function and function.parent is cls else ()
            for part in walk(write.value) if write.value is not None else ():
                if isinstance(part, ast.Name) and part.id in given:
                    yield _Argument(part.id, function, text)

    def _is_read(self, argument: _Argument, tests: Sequence[Span]) -> bool:
        """Whether anything reads an argument, or the attribute that holds it, but for some tests."""
        name, function, kept_as = argument
        own = [self.context.span(node) for node in self.index.loads(name, function)]
        if not kept_as:
            return self.index.may_read_by_text(function) or any(not _is_in(span, tests) for span in own)
        kept = [self.context.span(w.stmt) for w in self.index.writes.get(kept_as, ()) if w.stmt.scope is function]
        if any(not _is_in(span, kept) for span in own):
            return True
        reads = (self.context.span(node) for node in attribute_reads(self.index, kept_as.partition(".")[2]))
        return any(not _is_in(span, tests) for span in reads)


def attribute_reads(index: Index, attr: str) -> list[ast.Attribute]:
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


def _premise(argument: _Argument) -> Premise:
    function = argument.function
    cls = function.parent if function.name == "__init__" else None
    named = cls.name if cls is not None and cls.is_class else function.name
    return premises.ARGUMENT_UNREAD(argument=argument.name, function=named)
