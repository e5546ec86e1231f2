"""The syntax tree of a file after fixes, without the writer and libcst.

It answers one question before a fix is offered: whether a name that the fix reads, or whose binding it moves,
may be unbound at a read.
"""

from __future__ import annotations

import ast
import itertools
from bisect import bisect_right, insort
from typing import TYPE_CHECKING, NamedTuple

from placefix.diagnostic import Delete, Insert, Move, Remark, Unwrap
from placefix.facts.program.ast_walk import walk
from placefix.facts.program.definite_assignment import Assignment
from placefix.facts.program.edited_tree import UNEDITED, Overlay, suites
from placefix.facts.program.enclosing_scopes import inner_scopes
from placefix.facts.program.scopes import Scopes
from placefix.tree_draft import SCOPES, NewStatement, TreeDraft, TreePlace, read_names

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from placefix.diagnostic import Edit, Fix, Span
    from placefix.source import Source
    from placefix.tree_draft import Displaced


class _DraftedFix(NamedTuple):
    """The draft of some fixes, and the names to check, by their scope."""

    overlay: Overlay
    new: list[NewStatement]
    displaced: Displaced
    wanted: dict[ast.AST, frozenset[str]]


class FixDraft:
    """A file and drafts of fixes for it. Raises SyntaxError if the file cannot be compiled."""

    def __init__(self, source: Source, tree: ast.Module) -> None:
        self._source = source
        self._tree = tree
        self._scopes = Scopes(tree, source.text)
        self._places: list[TreePlace] = []
        self._list()
        self._starts = [place.start for place in self._places]
        self._assignments: dict[ast.AST, Assignment] = {}

    def _list(self) -> None:
        """All statements, in source order."""
        span, places = self._source.span, self._places
        todo: list[tuple[list[ast.stmt], int, ast.AST, int]] = [(self._tree.body, 0, self._tree, -1)]
        while todo:
            suite, index, scope, around = todo.pop()
            if index == len(suite):
                continue
            node = suite[index]
            todo.append((suite, index + 1, scope, around))
            places.append(TreePlace(*span(node), node, suite, index, scope, around))
            inner = node if isinstance(node, SCOPES) else scope
            todo += [(body, 0, inner, len(places) - 1) for body in reversed(suites(node))]

    def _at(self, span: Span) -> TreePlace:
        """The innermost statement that holds a range."""
        number = bisect_right(self._starts, span.start) - 1
        while number >= 0 and not (self._places[number].start <= span.start and span.end <= self._places[number].end):
            number = self._places[number].around if self._places[number].around >= 0 else number - 1
        if number < 0:
            raise LookupError("no statement holds the span")
        return self._places[number]

    def suite(self, span: Span) -> int:
        """The identity of the suite of the statement that holds a range."""
        return id(self._at(span).suite)

    def faults(self, fixes: Sequence[Fix]) -> dict[int, str]:
        """The fixes after which a name that is read may be unbound: index -> reason. Fixes that insert the same
        statements are judged together."""
        groups: dict[frozenset[Insert], list[int]] = {}
        for index, fix in enumerate(fixes):
            inserts = frozenset(edit for edit in fix.edits if isinstance(edit, Insert))
            if not all(isinstance(edit, Remark) for edit in fix.edits):
                groups.setdefault(inserts, []).append(index)
        return self._judged(
            [self._drawn(fixes, part) for group in groups.values() for part in self._apart(fixes, group)]
        )

    def _apart(self, fixes: Sequence[Fix], group: Sequence[int]) -> list[list[int]]:
        """The fixes in as few parts as need be, so that no two of one touch the same text."""
        parts: list[tuple[list[int], list[Span]]] = []
        for index in group:
            mine = {span for edit in fixes[index].edits for span in changed_text(edit)}
            room = next((part for part in parts if all(is_free(span, part[1]) for span in mine)), None)
            if room is None:
                room = ([], [])
                parts.append(room)
            room[0].append(index)
            for span in mine:
                insort(room[1], span)
        return [members for members, _ in parts]

    def together(self, fixes: Sequence[Fix], indexes: Iterable[int]) -> dict[int, str]:
        """The fixes, which change different text, after which a name that is read may be unbound once all are written: index -> reason."""
        return self._judged([self._drawn(fixes, indexes)])

    def _drawn(self, fixes: Sequence[Fix], indexes: Iterable[int]) -> _DraftedFix:
        """Some fixes, drawn."""
        sketch = TreeDraft(self._source, self._at, self._places)
        for index in indexes:
            sketch.add(index, fixes[index])
        overlay, new, displaced = sketch.done()
        wanted: dict[ast.AST, set[str]] = {}
        read = ((scope, name) for one in new for name in one.names for scope in self._reading(name, one))
        for scope, name in dict.fromkeys([*read, *displaced]):
            owner = self._scopes.owner(scope, name, overlay)
            if owner is not None and not isinstance(owner, ast.ClassDef):
                wanted.setdefault(owner, set()).add(name)
        return _DraftedFix(overlay, new, displaced, {owner: frozenset(names) for owner, names in wanted.items()})

    def _judged(self, drawn: Sequence[_DraftedFix]) -> dict[int, str]:
        """The fixes after which a name that is read may be unbound. Each draft is judged alone; a scope is followed once for all of them."""
        asked: dict[ast.AST, set[str]] = {}
        for one in drawn:
            for owner, wanted in one.wanted.items():
                asked.setdefault(owner, set()).update(wanted)
        for owner, every in asked.items():
            known = self._assignments.get(owner)
            if known is None or not known.follows(every):
                self._assignments[owner] = Assignment(self._scopes, owner, frozenset(every))
        faults = _Faults(self._source)
        for one in drawn:
            self._judge(one, faults)
        return faults.found

    def _judge(self, drawn: _DraftedFix, faults: _Faults) -> None:
        """Record the faults of one draft."""
        new, scopes = drawn.new, self._scopes
        for one in new:
            for name in one.names:
                if self._is_unknown(name, one, drawn.overlay):
                    faults.add(one.fixes, name, one.old)
        touched = {one.scope for one in new} | {scope for scope, _ in drawn.displaced}
        everywhere = any(scopes.globals(scope) for scope in touched)
        homes = {home for scope in touched for home in scopes.homes(scope)}
        for owner, wanted in drawn.wanted.items():
            assignment = self._assignments[owner]
            if everywhere or owner in homes:
                self._judge_scope(drawn, assignment, wanted, faults)
                self._judge_inner(drawn, assignment, wanted, faults)
            else:  # nothing in the scope changes
                self._judge_inner(drawn._replace(overlay=UNEDITED, displaced={}), assignment, wanted, faults)

    def _is_unknown(self, name: str, one: NewStatement, overlay: Overlay) -> bool:
        """Whether nothing binds a name of a new statement: it is a name neither of the file nor of its surroundings."""
        scopes = self._scopes
        return (
            any(scopes.owner(scope, name, overlay) is None for scope in self._reading(name, one))
            and not scopes.is_known(name)
            and not scopes.is_read(name)
            and not self._is_given(one)
        )

    def _reading(self, name: str, one: NewStatement) -> Iterator[ast.AST]:
        """The scopes whose code reads a name of a new statement: a lambda or comprehension in the body of a class reads the names
        around the class, not those of the class."""
        yield one.scope
        if isinstance(one.scope, ast.ClassDef):
            inner = (part for _, nodes in inner_scopes(one.node) for part in nodes)
            if any(isinstance(part, ast.Name) and part.id == name for part in inner):
                yield self._scopes.homes(one.scope)[-1]

    def _is_given(self, one: NewStatement) -> bool:
        """Whether the statement that is replaced, or next to which one is inserted, reads a name that the file binds nowhere: in
        a fragment (a cell, an excerpt) such names come from outside."""
        scopes = self._scopes
        return any(not scopes.is_known(n) and scopes.owner(one.scope, n) is None for n in read_names(one.old))

    def _judge_scope(self, drawn: _DraftedFix, assignment: Assignment, wanted: frozenset[str], faults: _Faults) -> None:
        """Record where a scope itself reads one of its names that the fixes leave unbound."""
        before = assignment.before
        found = assignment.after(drawn.overlay).unbound.items()
        lost = [(key, node) for key, node in found if key not in before.unbound and node.id in wanted]
        by_node = _by_name_nodes(drawn.new) if lost else {}
        for key, node in lost:
            new = by_node.get(key)
            if new is None:
                faults.add(_displaced_bindings(drawn, self._scopes, assignment.owner, node.id), node.id, node)
            elif not any(id(part) in before.unbound for part in _names_of(new.old, node.id)):
                faults.add(new.fixes, node.id, new.old)

    def _judge_inner(self, drawn: _DraftedFix, assignment: Assignment, wanted: frozenset[str], faults: _Faults) -> None:
        """Record where the functions and classes inside a scope read one of its names that the fixes leave unbound."""
        scopes, owner, overlay = self._scopes, assignment.owner, drawn.overlay
        if not assignment.units:
            return
        before = assignment.entries_before(wanted)
        after = before if overlay is UNEDITED else assignment.entries(overlay, wanted)
        for one in drawn.new:
            unit = scopes.unit(one.scope, owner)
            mine = [n for n in one.names if n in wanted and scopes.owner(one.scope, n, overlay) is owner]
            if unit is None or not mine:
                continue
            for name in self._unbound_names(one, mine, assignment, overlay, after[unit.name]):
                if before[unit.name] & assignment.names.bit(name) or not scopes.reads(one.scope, name):
                    faults.add(one.fixes, name, one.old)
        for name in {name for _, name in drawn.displaced} & wanted:
            for unit_name in assignment.lost(name, wanted, after):
                nodes = assignment.units[unit_name]
                reading = next((n for n in nodes if name in scopes.mentioned(n) and overlay.reads(n, name)), None)
                if reading is not None:
                    faults.add(_displaced_bindings(drawn, scopes, owner, name), name, reading)

    def _unbound_names(
        self, one: NewStatement, mine: Sequence[str], assignment: Assignment, overlay: Overlay, bound: int
    ) -> Iterator[str]:
        """Those of the names `mine` in a new statement that may be unbound there. bound: the names that are bound where its function
        begins, as bits."""
        declared = frozenset(n for n in mine if self._scopes.is_global(one.scope, n))
        missing = assignment.follow_global(one.scope, declared, overlay, bound) if declared else {}
        own = {id(part) for part in walk(one.node)}
        for name in mine:
            if name in declared:
                if any(id(n) in own and n.id == name for n in missing.values()):
                    yield name
            elif not bound & assignment.names.bit(name):
                yield name


class _Faults:
    """The reasons against fixes, by the index of the fix; each keeps its first one."""

    def __init__(self, source: Source) -> None:
        self._source = source
        self.found: dict[int, str] = {}

    def add(self, indexes: Iterable[int], name: str, node: ast.AST) -> None:
        """Record for each of the fixes that `name` may not be bound at `node`."""
        row = self._source.row_name(getattr(node, "lineno", 1))
        for index in indexes:
            self.found.setdefault(index, f"{row}: `{name}` may not be bound there")


def changed_text(edit: Edit) -> list[Span]:
    """The text that an edit takes away or changes."""
    if isinstance(edit, (Move, Delete)):
        return [*edit.statements]
    if isinstance(edit, Unwrap):
        return [edit.statement]
    return [] if isinstance(edit, Insert) else [edit.span]


def is_free(span: Span, taken: Sequence[Span]) -> bool:
    """Whether a range overlaps none of `taken`, which are sorted and do not overlap."""
    at = bisect_right(taken, span)
    before, after = taken[max(at - 1, 0) : at], taken[at : at + 1]
    return span not in before and all(t.end <= span.start for t in before) and all(span.end <= t.start for t in after)


def _by_name_nodes(new: Sequence[NewStatement]) -> dict[int, NewStatement]:
    """New statements by the identities of the names in them; of several fixes that write one statement the last."""
    last = {id(one.node): number for number, one in enumerate(new)}
    once = (one for number, one in enumerate(new) if last[id(one.node)] == number)
    return {id(part): one for one in once for part in walk(one.node) if isinstance(part, ast.Name)}


def _names_of(node: ast.stmt, name: str) -> list[ast.Name]:
    return [part for part in walk(node) if isinstance(part, ast.Name) and part.id == name]


def _displaced_bindings(drawn: _DraftedFix, scopes: Scopes, owner: ast.AST, name: str) -> set[int]:
    """The fixes that change where a name of `owner` is bound."""
    displaced, overlay = drawn.displaced, drawn.overlay
    found = [by for (scope, n), by in displaced.items() if n == name and scopes.owner(scope, n, overlay) is owner]
    return set(itertools.chain.from_iterable(found))
