"""Whether a name is bound and not None at a statement on every path, as code that reads it without a test requires.

Code under a false guard read nothing: ``net`` may be bound only if there is CUDA, or be None.
"""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from placefix.facts import premises
from placefix.facts.program.arguments import self_class
from placefix.facts.program.ast_names import defaults, dotted, is_literal, parameters
from placefix.facts.program.ast_walk import LOOPS, header
from placefix.facts.program.reads_and_writes import names

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator

    from placefix.facts.context import AnalysisContext
    from placefix.facts.program.tree import Stmt, Suite
    from placefix.facts.wording import Premise

_LEAVES = (ast.Return, ast.Raise, ast.Continue, ast.Break)


def absent(context: AnalysisContext, text: str, stmt: Stmt, asked: Collection[str] = ()) -> Premise | None:
    """Why the (dotted) name `text` may be unbound or None at `stmt`, given that the tests `asked` were true; None if it is
    always bound to a value."""
    scope = stmt.scope
    if "." not in text and scope.lookup(text) is not scope:
        return None  # of an enclosing scope
    found = context.get(_Pasts).of(text, frozenset(asked)).before(stmt)
    if found == {"value"} or not found:
        return None
    read = _asked_behind(text, stmt)
    if "nothing" in found and not read:
        return premises.MAY_NOT_EXIST(name=text)
    return premises.MAY_BE_NONE(name=text) if "none" in found and read != "dereferenced" else None


class _Pasts:
    """The states of names, each under the tests that were true."""

    def __init__(self, context: AnalysisContext) -> None:
        self._context = context
        self._found: dict[tuple[str, frozenset[str]], _Past] = {}

    def of(self, text: str, asked: frozenset[str]) -> _Past:
        """The past of a name."""
        if (text, asked) not in self._found:
            self._found[text, asked] = _Past(self._context, text, asked)
        return self._found[text, asked]


class _Past:
    """The possible states of a name after the statements that have run: "value", "none" or "nothing" (unbound)."""

    def __init__(self, context: AnalysisContext, text: str, asked: Collection[str]) -> None:
        self.context = context
        self.text = text
        self.asked = asked
        self.index = context.index
        self._writes = {write.stmt: write for write in self.index.writes.get(text, ())}  # the last of each statement
        self._before: dict[Stmt, frozenset[str]] = {}

    def before(self, stmt: Stmt) -> frozenset[str]:
        """The states at the beginning of a statement; computed once for each block around it, because `elif` can nest many."""
        passed: list[Stmt] = []
        found = None
        for current in stmt.ancestors():
            found = self._before.get(current) or self._in_block(current)
            passed.append(current)
            if found is not None:
                break
        result = found if found is not None else self._at_entry(stmt)
        self._before.update(dict.fromkeys(passed, result))
        return result

    def _in_block(self, current: Stmt) -> frozenset[str] | None:
        """The states by the statements above one in its block and by the block's header; None if these do not decide."""
        found = self._through(current.suite.stmts[: current.index])
        owner = current.suite.owner
        if found is not None or owner is None:
            return found
        node = owner.node
        if isinstance(node, (ast.For, ast.AsyncFor, ast.With, ast.AsyncWith)) and self._binds(owner):
            return frozenset(("value",))
        if any(_of(part) == self.text for top in header(node) for part in ast.walk(top)):
            return frozenset(("value",))  # a header tests it: `if x is not None:`
        return None

    def _through(self, stmts: list[Stmt]) -> frozenset[str] | None:
        """The states after some statements; None if these need not bind it."""
        for stmt in reversed(stmts):
            found = self._gives(stmt)
            if found is not None:
                return found
        return None

    def _gives(self, stmt: Stmt) -> frozenset[str] | None:
        if isinstance(stmt.node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)) or not stmt.suites:
            return self._simple_gives(stmt)
        arms = {s.arm: self._arm(s) for s in stmt.suites}
        if isinstance(stmt.node, (ast.With, ast.AsyncWith)) and self._binds(stmt):
            return frozenset(("value",))
        if isinstance(stmt.node, ast.If) and "orelse" not in arms:
            return arms["body"] if self.context.text(stmt.node.test) in self.asked else None
        if isinstance(stmt.node, ast.Try):
            final = arms.get("finalbody")
            if final:
                return final
            arms = {name: found for name, found in arms.items() if name not in ("finalbody", "orelse")}
        elif isinstance(stmt.node, LOOPS):
            return arms["body"] or (frozenset(("value",)) if self._binds(stmt) else None)  # taken to run
        known = [given for given in arms.values() if given is not None]
        return frozenset[str]().union(*known) or None if len(known) == len(arms) else None

    def _simple_gives(self, stmt: Stmt) -> frozenset[str] | None:
        """`_gives` of a statement without arms."""
        write = self._writes.get(stmt)
        if write is not None:
            return _given(write.value)
        bound = self._binds(stmt) or _asks(stmt.node, self.text) == "dereferenced"
        return frozenset(("value",)) if bound else None

    def _arm(self, suite: Suite) -> frozenset[str] | None:
        """The states after an arm; the empty set if the arm leaves."""
        found = self._through(suite.stmts)
        return frozenset() if suite.stmts and isinstance(suite.stmts[-1].node, _LEAVES) else found

    def _binds(self, stmt: Stmt) -> bool:
        return "." not in self.text and stmt in self.index.binding(stmt.scope, self.text)

    def _at_entry(self, stmt: Stmt) -> frozenset[str]:
        """The states at the beginning of the function or module around a statement."""
        scope, value = stmt.scope, frozenset(("value",))
        if "." in self.text:
            cls = self_class(scope, self.text.partition(".")[0])
            writes = [w for w in self.index.writes.get(self.text, ()) if w.stmt.scope.parent is cls]
            none = any("none" in _given(w.value) for w in writes)
            return frozenset(("value", "none")) if cls is not None and none else value
        if scope.is_function:
            given = scope.function.args
            if self.text in parameters(given):
                default = defaults(given).get(self.text)
                return frozenset(("value", "none")) if is_literal(default, None) else value
        return frozenset(("nothing",)) if self.index.binding(scope, self.text) else value


def _given(value: ast.expr | None) -> frozenset[str]:
    """The possible states of an expression's value: "none", "value"."""
    if isinstance(value, ast.IfExp):
        return _given(value.body) | _given(value.orelse)
    return frozenset(("none" if is_literal(value, None) else "value",))


def _asked_behind(text: str, stmt: Stmt) -> str:
    """Whether the code behind a statement always reads the name, or even an attribute of it: "read", "dereferenced", else ""."""
    best, current = "", stmt
    while True:
        for later in _straight(current.suite.stmts[current.index + 1 :]):
            said = _asks(later.node, text)
            best = said or best
            if said == "dereferenced" or isinstance(later.node, _LEAVES):
                return best
            if text in names(later.node)[1] and not later.suites:
                return best
        owner = current.suite.owner
        if owner is None or isinstance(owner.node, (ast.If, ast.Try)):
            return best
        current = owner


def _straight(stmts: list[Stmt]) -> Iterator[Stmt]:
    """The statements that run one after the other, in loops and ``with`` too."""
    for stmt in stmts:
        yield stmt
        if isinstance(stmt.node, (ast.For, ast.AsyncFor, ast.While, ast.With, ast.AsyncWith)):
            yield from _straight(stmt.suites[0].stmts)


def _asks(node: ast.stmt, text: str) -> str:
    """The use of the name in those expressions of a statement that are always evaluated: "dereferenced", "read" or ""."""
    if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
        return ""
    best, todo = "", list(header(node))
    while todo:
        part = todo.pop()
        if isinstance(part, (ast.IfExp, ast.BoolOp)):
            todo.append(part.test if isinstance(part, ast.IfExp) else part.values[0])
            continue
        if isinstance(part, (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)):
            todo.append(part.generators[0].iter)
            continue
        if isinstance(part, ast.Lambda):
            continue
        inner = (
            part.value
            if isinstance(part, (ast.Attribute, ast.Subscript))
            else part.func
            if isinstance(part, ast.Call)
            else None
        )
        if inner is not None and _of(inner) == text:
            return "dereferenced"
        if _of(part) == text and isinstance(getattr(part, "ctx", None), ast.Load):
            best = "read"
        todo += ast.iter_child_nodes(part)
    return best


def _of(node: ast.AST) -> str:
    return dotted(node) if isinstance(node, (ast.Name, ast.Attribute)) else ""
