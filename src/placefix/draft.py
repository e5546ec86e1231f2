"""The syntax tree of a file after fixes, without the writer and libcst.

It answers one question before a fix is offered: whether a name that the fix reads, or whose binding it moves,
may be unbound at a read.
"""

from __future__ import annotations

import ast
import copy
import itertools
import re
import warnings
from bisect import bisect_right, insort
from keyword import iskeyword
from typing import TYPE_CHECKING, NamedTuple

from placefix.diagnostic import Delete, Insert, Move, Remark, Replace, Unwrap
from placefix.facts.program.ast_walk import walk
from placefix.facts.program.definite_assignment import Assignment
from placefix.facts.program.edited_tree import UNEDITED, Overlay, Splice, suites
from placefix.facts.program.reads_and_writes import names
from placefix.facts.program.scopes import Scopes

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from placefix.diagnostic import Edit, Fix, Span
    from placefix.source import Source

_WORD = re.compile(r"(?<![\w.\"'])[A-Za-z_]\w*(?!\w*[\"'])(?!\s*=[^=])")
_SCOPES = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
# The names of scopes whose binding changes, with the fixes that change it.
_Displaced = dict[tuple[ast.AST, str], set[int]]
_IN_PARTS = (ast.Try, ast.Match)  # their headers are in parts


class _StatementPlace(NamedTuple):
    """A statement: its range of the text, the list that holds it and its index there, the function, class or module around it,
    and the number of the statement that contains it (-1 for none)."""

    start: int
    end: int
    node: ast.stmt
    suite: list[ast.stmt]
    number: int
    scope: ast.AST
    around: int


class _NewStatement(NamedTuple):
    """A statement that fixes would write: the fixes, the statement it replaces or is next to, and its names."""

    node: ast.stmt
    fixes: tuple[int, ...]
    scope: ast.AST
    old: ast.stmt
    names: frozenset[str]


class _DraftedFix(NamedTuple):
    """The draft of some fixes, and the names to check, by their scope."""

    overlay: Overlay
    new: list[_NewStatement]
    displaced: _Displaced
    wanted: dict[ast.AST, frozenset[str]]


class FixDraft:
    """A file and drafts of fixes for it. Raises SyntaxError if the file cannot be compiled."""

    def __init__(self, source: Source, tree: ast.Module) -> None:
        self._source = source
        self._tree = tree
        self._scopes = Scopes(tree, source.text)
        self._places: list[_StatementPlace] = []
        self._list()
        self._starts = [place.start for place in self._places]

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
            places.append(_StatementPlace(*span(node), node, suite, index, scope, around))
            inner = node if isinstance(node, _SCOPES) else scope
            todo += [(body, 0, inner, len(places) - 1) for body in reversed(suites(node))]

    def _at(self, span: Span) -> _StatementPlace:
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
        sketch = _TreeDraft(self._source, self._at, self._places)
        for index in indexes:
            sketch.add(index, fixes[index])
        overlay, new, displaced = sketch.done()
        wanted: dict[ast.AST, set[str]] = {}
        for scope, name in dict.fromkeys([*((one.scope, name) for one in new for name in one.names), *displaced]):
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
        known = {owner: Assignment(self._scopes, owner, frozenset(every)) for owner, every in asked.items()}
        found: dict[int, str] = {}
        for one in drawn:
            found |= self._judge(one, known)
        return found

    def _judge(self, drawn: _DraftedFix, known: dict[ast.AST, Assignment]) -> dict[int, str]:
        overlay, new, displaced = drawn.overlay, drawn.new, drawn.displaced
        scopes = self._scopes
        found: dict[int, str] = {}

        def fault(indexes: Iterable[int], name: str, node: ast.AST) -> None:
            """Record for each of the fixes that `name` may not be bound at `node`; the first reason is kept."""
            row = self._source.row_name(getattr(node, "lineno", 1))
            for index in indexes:
                found.setdefault(index, f"{row}: `{name}` may not be bound there")

        for one in new:
            for name in one.names:
                if scopes.owner(one.scope, name, overlay) is None:
                    if not scopes.is_known(name) and not scopes.is_read(name) and not self._is_given(one):
                        fault(one.fixes, name, one.old)
        touched = {one.scope for one in new} | {scope for scope, _ in displaced}
        # many fixes may write one statement, which is walked once
        last = {id(one.node): number for number, one in enumerate(new)}
        once = [one for number, one in enumerate(new) if last[id(one.node)] == number]
        by_node = {id(part): one for one in once for part in walk(one.node) if isinstance(part, ast.Name)}
        everywhere = any(scopes.globals(scope) for scope in touched)
        homes = {home for scope in touched for home in scopes.homes(scope)}
        for owner, wanted in drawn.wanted.items():
            assignment = known[owner]
            if not everywhere and owner not in homes:
                self._inside(assignment, wanted, UNEDITED, new, {}, fault)  # nothing in the scope changes
                continue
            before = assignment.before
            for key, node in assignment.after(overlay).unbound.items():
                if key in before.unbound or node.id not in wanted:
                    continue
                one_new = by_node.get(key)
                if one_new is None:
                    fault(_displaced_bindings(displaced, scopes, owner, node.id, overlay), node.id, node)
                elif not any(id(part) in before.unbound for part in _names_of(one_new.old, node.id)):
                    fault(one_new.fixes, node.id, one_new.old)
            self._inside(assignment, wanted, overlay, new, displaced, fault)
        return found

    def _is_given(self, one: _NewStatement) -> bool:
        """Whether the statement that is replaced, or next to which one is inserted, reads a name that the file binds nowhere: in
        a fragment (a cell, an excerpt) such names come from outside."""
        scopes = self._scopes
        return any(not scopes.is_known(n) and scopes.owner(one.scope, n) is None for n in _read_names(one.old))

    def _inside(
        self,
        assignment: Assignment,
        wanted: frozenset[str],
        overlay: Overlay,
        new: list[_NewStatement],
        displaced: _Displaced,
        fault: Callable[[Iterable[int], str, ast.AST], None],
    ) -> None:
        """Check the reads of a scope's names in the functions and classes inside it."""
        scopes, owner, bit = self._scopes, assignment.owner, assignment.names.bit
        if not assignment.units:
            return
        before = assignment.entries_before(wanted)
        after = before if overlay is UNEDITED else assignment.entries(overlay, wanted)
        for one in new:
            unit = scopes.unit(one.scope, owner)
            mine = [n for n in one.names if n in wanted and scopes.owner(one.scope, n, overlay) is owner]
            if unit is None or not mine:
                continue
            bound = after[unit.name]
            declared = frozenset(n for n in mine if scopes.is_global(one.scope, n))
            missing = assignment.follow_global(one.scope, declared, overlay, bound) if declared else {}
            own = {id(part) for part in walk(one.node)}
            for name in mine:
                lacks = (
                    any(id(n) in own and n.id == name for n in missing.values())
                    if name in declared
                    else not bound & bit(name)
                )
                if lacks and not (not before[unit.name] & bit(name) and scopes.reads(one.scope, name)):
                    fault(one.fixes, name, one.old)
        for name in {name for _, name in displaced} & wanted:
            for unit_name in assignment.lost(name, wanted, after):
                nodes = assignment.units[unit_name]
                reading = next(
                    (node for node in nodes if name in scopes.mentioned(node) and overlay.reads(node, name)), None
                )
                if reading is not None:
                    fault(_displaced_bindings(displaced, scopes, owner, name, overlay), name, reading)


class _TreeDraft:
    """Draws fixes into an overlay."""

    def __init__(
        self, source: Source, at: Callable[[Span], _StatementPlace], places: Sequence[_StatementPlace]
    ) -> None:
        self._source = source
        self._at = at
        self._places = places
        self._suites: dict[int, _Suite] = {}
        self._replaces: dict[int, tuple[_StatementPlace, dict[Replace, set[int]]]] = {}
        self._inserted: dict[Insert, tuple[_StatementPlace, list[ast.stmt], set[int]]] = {}
        self._new: list[_NewStatement] = []
        self._displaced: _Displaced = {}
        self._structural: list[tuple[int, Move | Delete | Unwrap]] = []

    def add(self, index: int, fix: Fix) -> None:
        """Draw a fix."""
        for edit in fix.edits:
            if isinstance(edit, Replace):
                self._replace(index, edit)
            elif isinstance(edit, Insert):
                self._insert(index, edit)
            elif isinstance(edit, (Move, Delete, Unwrap)):
                self._structural.append((index, edit))
                for replace in () if isinstance(edit, Delete) else edit.replace:
                    self._replace(index, replace)

    def _replace(self, index: int, edit: Replace) -> None:
        place = self._at(edit.span)
        self._replaces.setdefault(id(place.node), (place, {}))[1].setdefault(edit, set()).add(index)

    def _insert(self, index: int, edit: Insert) -> None:
        if edit not in self._inserted:
            self._inserted[edit] = (self._at(edit.anchor), _parse_statements(edit.text), set())
        self._inserted[edit][2].add(index)

    def _suite(self, place: _StatementPlace) -> _Suite:
        """The suite of a statement, to be changed."""
        suite = self._suites.get(id(place.suite))
        if suite is None:
            suite = self._suites[id(place.suite)] = _Suite(place)
        return suite

    def _take(self, index: int, place: _StatementPlace) -> None:
        """Take a statement from its place."""
        self._suite(place).take(place)
        for name in _bound_names(place.node):
            self._displaced.setdefault((place.scope, name), set()).add(index)

    def _move(self, index: int, edit: Move) -> None:
        places = [self._at(span) for span in edit.statements]
        anchor = self._at(edit.anchor)
        for place in places:
            self._take(index, place)
            touched = frozenset(_read_names(place.node) | _bound_names(place.node))
            self._new.append(_NewStatement(place.node, (index,), place.scope, place.node, touched))
        self._suite(anchor).insert([place.node for place in places], anchor, edit.where)

    def _unwrap(self, index: int, edit: Unwrap) -> None:
        place = self._at(edit.statement)
        kept = [self._at(span) for span in edit.keep]
        self._suite(place).replace(place, [one.node for one in kept])
        for name in _bound_names(place.node):
            self._displaced.setdefault((place.scope, name), set()).add(index)
        for one in kept:
            touched = frozenset(_read_names(one.node) | _bound_names(one.node))
            self._new.append(_NewStatement(one.node, (index,), one.scope, place.node, touched))

    def done(self) -> tuple[Overlay, list[_NewStatement], _Displaced]:
        """The file after the fixes, its new statements, and the names (with their scopes) whose binding changes."""
        binds: dict[ast.AST, set[str]] = {}
        statements: dict[int, ast.stmt] = {}
        for insert, (anchor, nodes, indexes) in self._inserted.items():
            self._suite(anchor).insert(nodes, anchor, insert.where)
            for node in nodes:
                touched = frozenset(_read_names(node) | _bound_names(node))
                self._new.append(_NewStatement(node, tuple(sorted(indexes)), anchor.scope, anchor.node, touched))
                binds.setdefault(anchor.scope, set()).update(_bound_names(node))
                for name in _bound_names(node):
                    self._displaced.setdefault((anchor.scope, name), set()).update(indexes)
        for index, edit in self._structural:
            if isinstance(edit, Move):
                self._move(index, edit)
            elif isinstance(edit, Unwrap):
                self._unwrap(index, edit)
            else:
                for span in edit.statements:
                    self._take(index, self._at(span))
        for key, (place, edits) in self._replaces.items():
            rewritten = self._rewritten(place, list(edits))
            if rewritten is None:
                continue
            statements[key] = node = rewritten
            was, now = _bound_names(place.node), _bound_names(node)
            changed = (
                _read_names(node) - _read_names(place.node) | (_read_names(node) if was != now else set()) | (was ^ now)
            )
            for name in was ^ now:
                self._displaced.setdefault((place.scope, name), set()).update(*edits.values())
            binds.setdefault(place.scope, set()).update(now)
            every = tuple(sorted(set().union(*edits.values())))
            texts: dict[int, list[str]] = {}
            for replace, by in edits.items():
                for i in by:
                    texts.setdefault(i, []).append(replace.text)
            own = {i: frozenset(_identifiers(texts.get(i, ()))) for i in every}
            if was == now and len(every) > 1:
                for i in every:
                    self._new.append(_NewStatement(node, (i,), place.scope, place.node, frozenset(changed & own[i])))
                changed -= set().union(*own.values())
            if changed or len(every) == 1:
                self._new.append(_NewStatement(node, every, place.scope, place.node, frozenset(changed)))
        written = frozenset(id(one.node) for one in self._new)
        numbers, holding = self._changed(statements)
        overlay = Overlay(
            {key: suite.splice() for key, suite in self._suites.items()},
            statements,
            {scope: frozenset(n) for scope, n in binds.items()},
            written,
            numbers,
            holding,
        )
        # a statement that moves may have been rewritten as well
        new = [one._replace(node=statements.get(id(one.node), one.node)) for one in self._new]
        return overlay, new, self._displaced

    def _changed(self, statements: dict[int, ast.stmt]) -> tuple[dict[int, list[int]], frozenset[int]]:
        """By suite the numbers of the statements that are replaced or hold changes, and all of these statements."""
        numbers: dict[int, set[int]] = {}
        holding: set[int] = set()
        todo = [place for key, (place, _) in self._replaces.items() if key in statements]
        todo += [self._places[suite.around] for suite in self._suites.values() if suite.around >= 0]
        while todo:
            place = todo.pop()
            if id(place.node) not in holding:
                holding.add(id(place.node))
                numbers.setdefault(id(place.suite), set()).add(place.number)
                if place.around >= 0:
                    todo.append(self._places[place.around])
        return {suite: sorted(found) for suite, found in numbers.items()}, frozenset(holding)

    def _rewritten(self, place: _StatementPlace, edits: list[Replace]) -> ast.stmt | None:
        """A statement after replacements in it, with its suites; None if its names do not change."""
        text, node = self._source.text, place.node
        bodies = suites(node)
        end = place.end if not bodies else self._source.span(bodies[0][0]).start
        within = sorted(edit for edit in edits if edit.span.end <= end)
        if len(within) < len(edits) or isinstance(node, _IN_PARTS):
            return self._apart(place, edits)
        new, at = "", place.start
        for edit in within:
            new += text[at : edit.span.start] + edit.text
            at = edit.span.end
        new += text[at:end] + ("pass" if bodies else "")
        if new.startswith("elif"):
            new = new[2:]
        row = self._source.line(self._source.line_of(place.start))
        margin = row[: len(row) - len(row.lstrip(" \t\f"))]
        try:
            parsed = _parse_statements(f"if 1:\n{margin}{new}\n" if margin else new)
        except SyntaxError:
            return self._apart(place, edits)
        found = parsed[0].body[0] if margin else parsed[0]  # type: ignore[attr-defined]
        if bodies:
            for field in ("body", "orelse"):
                if hasattr(node, field):
                    setattr(found, field, getattr(node, field))
        return found

    def _apart(self, place: _StatementPlace, edits: list[Replace]) -> ast.stmt | None:
        """The statement with a test before it that reads all that is new in it: its header is not one piece of text."""
        words = sorted(_identifiers(edit.text for edit in edits))
        if not words:
            return None
        found = copy.copy(place.node)
        reads = ast.Expr(ast.Tuple([ast.Name(word, ast.Load()) for word in words], ast.Load()))
        if isinstance(found, ast.Try):
            found.body = [reads, *place.node.body]  # type: ignore[attr-defined]
        elif isinstance(found, ast.Match):
            found.subject = ast.Tuple([found.subject, reads.value], ast.Load())
        else:
            return None
        return found


class _Suite:
    """The statements of a suite while they are changed, and the range of the old ones outside of which nothing is."""

    def __init__(self, place: _StatementPlace) -> None:
        self.around = place.around
        self._old = place.suite
        self._nodes = [*place.suite]
        self._start, self._stop = len(place.suite), 0

    def take(self, place: _StatementPlace) -> None:
        """Take a statement away, if it is there."""
        if place.node in self._nodes:
            self.replace(place, [])

    def replace(self, place: _StatementPlace, nodes: list[ast.stmt]) -> None:
        """Put others in the place of a statement."""
        at = self._position(place)
        self._nodes[at : at + 1] = nodes
        self._touch(place.number, place.number + 1)

    def insert(self, nodes: list[ast.stmt], anchor: _StatementPlace, where: str) -> None:
        """Put statements before or after another one."""
        at = self._position(anchor) + (where == "after")
        self._nodes[at:at] = nodes
        number = anchor.number + (where == "after")
        self._touch(number, number)

    def splice(self) -> Splice:
        """The splice: the range of old statements, and the new statements in their place."""
        return Splice(
            self._start, self._stop, self._nodes[self._start : len(self._nodes) - len(self._old) + self._stop]
        )

    def _position(self, place: _StatementPlace) -> int:
        at = place.number  # where it still is, as a rule
        return at if self._nodes[at : at + 1] == [place.node] else self._nodes.index(place.node)

    def _touch(self, start: int, stop: int) -> None:
        self._start, self._stop = min(self._start, start), max(self._stop, stop)


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


def _parse_statements(text: str) -> list[ast.stmt]:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return ast.parse(text).body


def _names_of(node: ast.stmt, name: str) -> list[ast.Name]:
    return [part for part in walk(node) if isinstance(part, ast.Name) and part.id == name]


def _read_names(node: ast.stmt) -> set[str]:
    """Every name that a statement reads, in its suites as well; of a definition, the names that are read when it is executed."""
    return {text for text in names(node)[0] if "." not in text}


def _bound_names(node: ast.stmt) -> set[str]:
    """Every name that a statement binds in its scope, in its suites as well."""
    found: set[str] = set()
    todo: list[ast.AST] = [node]
    while todo:
        part = todo.pop()
        if isinstance(part, _SCOPES):
            found.add(part.name)
            continue
        if isinstance(part, ast.Name):
            if not isinstance(part.ctx, ast.Load):
                found.add(part.id)
            continue
        if isinstance(part, (ast.Import, ast.ImportFrom)):
            found.update(alias.asname or alias.name.partition(".")[0] for alias in part.names)
            continue
        if isinstance(part, (ast.ListComp, ast.SetComp, ast.GeneratorExp, ast.DictComp, ast.Lambda)):
            found.update(p.target.id for p in walk(part) if isinstance(p, ast.NamedExpr))
            continue
        for captured in (getattr(part, "name", None), getattr(part, "rest", None)):
            if isinstance(captured, str):
                found.add(captured)
        todo += ast.iter_child_nodes(part)
    return found


def _identifiers(texts: Iterable[str]) -> set[str]:
    """The names that texts may read."""
    return {word for text in texts for word in _WORD.findall(text) if not iskeyword(word)}


def _displaced_bindings(displaced: _Displaced, scopes: Scopes, owner: ast.AST, name: str, overlay: Overlay) -> set[int]:
    """The fixes that change where a name of `owner` is bound."""
    found = [by for (scope, n), by in displaced.items() if n == name and scopes.owner(scope, n, overlay) is owner]
    return set(itertools.chain.from_iterable(found))
