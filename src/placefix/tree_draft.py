"""Statements of a file while fixes are drawn into them: lists of statements that change, and the statements that fixes write."""

from __future__ import annotations

import ast
import copy
import re
from functools import lru_cache
from keyword import iskeyword
from typing import TYPE_CHECKING, NamedTuple

from placefix.diagnostic import Delete, Insert, Move, Replace, Unwrap
from placefix.facts.program.ast_walk import children, walk
from placefix.facts.program.edited_tree import Overlay, Splice, suites
from placefix.facts.program.reads_and_writes import names
from placefix.parsing import parse_quietly

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from placefix.diagnostic import Fix, Span
    from placefix.source import Source

SCOPES = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
# The names of scopes whose binding changes, with the fixes that change it.
Displaced = dict[tuple[ast.AST, str], set[int]]
_WORD = re.compile(r"(?<![\w.\"'])[A-Za-z_]\w*(?!\w*[\"'])(?!\s*=[^=])")
_IN_PARTS = (ast.Try, ast.Match)  # their headers are in parts


class TreePlace(NamedTuple):
    """A statement: its range of the text, the list that holds it and its index there, the function, class or module around it,
    and the number of the statement that contains it (-1 for none)."""

    start: int
    end: int
    node: ast.stmt
    suite: list[ast.stmt]
    number: int
    scope: ast.AST
    around: int


class NewStatement(NamedTuple):
    """A statement that fixes would write: the fixes, the statement it replaces or is next to, and its names."""

    node: ast.stmt
    fixes: tuple[int, ...]
    scope: ast.AST
    old: ast.stmt
    names: frozenset[str]


class TreeDraft:
    """Draws fixes into an overlay."""

    def __init__(self, source: Source, at: Callable[[Span], TreePlace], places: Sequence[TreePlace]) -> None:
        self._source = source
        self._at = at
        self._places = places
        self._suites: dict[int, _Suite] = {}
        self._replaces: dict[int, tuple[TreePlace, dict[Replace, set[int]]]] = {}
        self._inserted: dict[Insert, tuple[TreePlace, list[ast.stmt], set[int]]] = {}
        self._new: list[NewStatement] = []
        self._displaced: Displaced = {}
        self._binds: dict[ast.AST, set[str]] = {}  # the names that new statements bind, by scope
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
            self._inserted[edit] = (self._at(edit.anchor), parse_quietly(edit.text).body, set())
        self._inserted[edit][2].add(index)

    def _suite(self, place: TreePlace) -> _Suite:
        """The suite of a statement, to be changed."""
        suite = self._suites.get(id(place.suite))
        if suite is None:
            suite = self._suites[id(place.suite)] = _Suite(place)
        return suite

    def _displace(self, scope: ast.AST, bound: Iterable[str], fixes: Iterable[int]) -> None:
        """Record that fixes change where names of a scope are bound."""
        for name in bound:
            self._displaced.setdefault((scope, name), set()).update(fixes)

    def _add_new(self, node: ast.stmt, fixes: tuple[int, ...], scope: ast.AST, old: ast.stmt) -> None:
        """Record a new statement; all of its names are to be checked."""
        self._new.append(NewStatement(node, fixes, scope, old, frozenset(read_names(node) | bound_names(node))))

    def _take(self, index: int, place: TreePlace) -> None:
        """Take a statement from its place."""
        self._suite(place).take(place)
        self._displace(place.scope, bound_names(place.node), (index,))

    def _move(self, index: int, edit: Move) -> None:
        places = [self._at(span) for span in edit.statements]
        anchor = self._at(edit.anchor)
        for place in places:
            self._take(index, place)
            self._add_new(place.node, (index,), place.scope, place.node)
        self._suite(anchor).insert([place.node for place in places], anchor, edit.where)

    def _unwrap(self, index: int, edit: Unwrap) -> None:
        place = self._at(edit.statement)
        kept = [self._at(span) for span in edit.keep]
        self._suite(place).replace(place, [one.node for one in kept])
        self._displace(place.scope, bound_names(place.node), (index,))
        for one in kept:
            self._add_new(one.node, (index,), one.scope, place.node)

    def done(self) -> tuple[Overlay, list[NewStatement], Displaced]:
        """The file after the fixes, its new statements, and the names (with their scopes) whose binding changes."""
        for insert, (anchor, nodes, indexes) in self._inserted.items():
            self._suite(anchor).insert(nodes, anchor, insert.where)
            for node in nodes:
                self._add_new(node, tuple(sorted(indexes)), anchor.scope, anchor.node)
                self._bind(anchor.scope, bound_names(node))
                self._displace(anchor.scope, bound_names(node), indexes)
        for index, edit in self._structural:
            if isinstance(edit, Move):
                self._move(index, edit)
            elif isinstance(edit, Unwrap):
                self._unwrap(index, edit)
            else:
                for span in edit.statements:
                    self._take(index, self._at(span))
        statements: dict[int, ast.stmt] = {}
        for key, (place, edits) in self._replaces.items():
            rewritten = self._rewritten(place, list(edits))
            if rewritten is not None:
                statements[key] = rewritten
                self._add_rewritten(place, rewritten, edits)
        written = frozenset(id(one.node) for one in self._new)
        numbers, holding = self._changed(statements)
        overlay = Overlay(
            {key: suite.splice() for key, suite in self._suites.items()},
            statements,
            {scope: frozenset(n) for scope, n in self._binds.items()},
            written,
            numbers,
            holding,
        )
        # a statement that moves may have been rewritten as well
        new = [one._replace(node=statements.get(id(one.node), one.node)) for one in self._new]
        return overlay, new, self._displaced

    def _bind(self, scope: ast.AST, bound: Iterable[str]) -> None:
        """Record that new statements of a scope bind names."""
        self._binds.setdefault(scope, set()).update(bound)

    def _add_rewritten(self, place: TreePlace, node: ast.stmt, edits: dict[Replace, set[int]]) -> None:
        """Record the statement `node` that replacements make of another one. Each fix answers for the names in its own text."""
        was, now = bound_names(place.node), bound_names(node)
        read = read_names(node)
        changed = read - read_names(place.node) | (read if was != now else set()) | (was ^ now)
        every = tuple(sorted(set().union(*edits.values())))
        self._displace(place.scope, was ^ now, every)
        self._bind(place.scope, now)
        if was == now and len(every) > 1:
            texts: dict[int, list[str]] = {}
            for replace, by in edits.items():
                for index in by:
                    texts.setdefault(index, []).append(replace.text)
            own = {index: frozenset(_identifiers(texts[index])) for index in every}
            for index in every:
                names_of_fix = frozenset(changed & own[index])
                self._new.append(NewStatement(node, (index,), place.scope, place.node, names_of_fix))
            changed -= set().union(*own.values())
        if changed or len(every) == 1:
            self._new.append(NewStatement(node, every, place.scope, place.node, frozenset(changed)))

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

    def _rewritten(self, place: TreePlace, edits: list[Replace]) -> ast.stmt | None:
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
            parsed = parse_quietly(f"if 1:\n{margin}{new}\n" if margin else new).body
        except SyntaxError:
            return self._apart(place, edits)
        found = parsed[0].body[0] if margin else parsed[0]  # type: ignore[attr-defined]
        if bodies:
            for field in ("body", "orelse"):
                if hasattr(node, field):
                    setattr(found, field, getattr(node, field))
        return found

    def _apart(self, place: TreePlace, edits: list[Replace]) -> ast.stmt | None:
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
    """The changes of a suite, by the numbers of its old statements, and the range of these outside of which nothing changes.

    A place is one of the old suite: a fix may put statements beside one that another fix takes away.
    """

    def __init__(self, place: TreePlace) -> None:
        self.around = place.around
        self._old = place.suite
        self._kept: dict[int, list[ast.stmt]] = {}  # the replacement of an old statement, where it is another
        self._gaps: dict[int, list[ast.stmt]] = {}  # the statements in front of an old one, or at the end
        self._start, self._stop = len(place.suite), 0

    def take(self, place: TreePlace) -> None:
        """Take a statement away, if it is there."""
        if place.number not in self._kept:
            self.replace(place, [])

    def replace(self, place: TreePlace, nodes: list[ast.stmt]) -> None:
        """Put others in the place of a statement."""
        self._kept[place.number] = nodes
        self._touch(place.number, place.number + 1)

    def insert(self, nodes: list[ast.stmt], anchor: TreePlace, where: str) -> None:
        """Put statements directly before or after the place of another one."""
        number = anchor.number + (where == "after")
        gap = self._gaps.setdefault(number, [])
        at = 0 if where == "after" else len(gap)
        gap[at:at] = nodes
        self._touch(number, number)

    def splice(self) -> Splice:
        """The splice: the range of old statements, and the new statements in their place."""
        new = [*self._gaps.get(self._start, ())]
        for number in range(self._start, self._stop):
            new += self._kept.get(number, self._old[number : number + 1])
            new += self._gaps.get(number + 1, ())
        return Splice(self._start, self._stop, new)

    def _touch(self, start: int, stop: int) -> None:
        self._start, self._stop = min(self._start, start), max(self._stop, stop)


def read_names(node: ast.stmt) -> set[str]:
    """Every name that a statement reads, in its suites as well; of a definition, the names that are read when it is executed."""
    return {text for text in names(node)[0] if "." not in text}


@lru_cache(maxsize=4096)
def bound_names(node: ast.stmt) -> frozenset[str]:
    """Every name that a statement binds in its scope, in its suites as well."""
    found: set[str] = set()
    todo: list[ast.AST] = [node]
    while todo:
        part = todo.pop()
        if isinstance(part, SCOPES):
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
            elif captured is not None:
                todo.append(captured)  # of a type alias
        todo += children(part)
    return frozenset(found)


def _identifiers(texts: Iterable[str]) -> set[str]:
    """The names that texts may read."""
    return {word for text in texts for word in _WORD.findall(text) if not iskeyword(word)}
