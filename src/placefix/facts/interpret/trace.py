"""The values that the device-flow analysis has at given statements: each value that is read or bound, with its place."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, NamedTuple

from placefix.facts.interpret.flow import Interpreter
from placefix.facts.interpret.values import UNKNOWN_PLACE

if TYPE_CHECKING:
    from placefix.facts.interpret.interpreter_base import Arguments
    from placefix.facts.interpret.values import Obj, Place
    from placefix.facts.program.tree import Scope, Stmt, Tree
    from placefix.source import Source

_SHOWN = (ast.Name, ast.Attribute, ast.Subscript, ast.Call)


class Belief(NamedTuple):
    """A value at a statement.

    text: its expression, as written in the source. value: the abstract value. before, after: its place (or that of the previous value of
    the name) before the statement runs, and its place afterwards. bound: the statement binds the name.
    """

    text: str
    value: Obj
    before: Place
    after: Place
    bound: bool


class Unseen(NamedTuple):
    """A call that the analysis could not follow. name: the qualified name of the callee, "" if unknown."""

    node: ast.Call
    name: str


class Observer(Interpreter):
    """Runs a file as `Interpreter` does, and looks at each value that an expression has."""

    def eval(self, node: ast.expr) -> Obj:
        """The value of an expression, observed."""
        value = super().eval(node)
        self.observe(node, value)
        return value

    def collected(self, expr: ast.expr) -> Obj:
        """The value of a collection of parameters, observed."""
        value = super().collected(expr)
        self.observe(expr, value)
        return value

    def observe(self, node: ast.expr, value: Obj) -> None:
        """Called with each expression and its value."""


class Trace(Observer):
    """Runs a file as `Interpreter` does, and records the values at some of its statements.

    beliefs: by the calls that lead to the statement (1-based rows, the outermost first), in the order of evaluation.
    unseen: the calls of the file that were not followed.
    """

    def __init__(self, tree: Tree, source: Source, observed: frozenset[Stmt]) -> None:
        self._observed = observed
        self._scopes = {scope for stmt in observed for scope in stmt.scope.chain()}
        self._open: dict[str, Belief] = {}
        self.beliefs: dict[tuple[int, ...], list[Belief]] = {}
        self.unseen: list[Unseen] = []
        super().__init__(tree, source, always=True)

    def places(self, scope: Scope) -> bool:
        """A function that holds an observed statement is run whether it places anything or not."""
        return scope in self._scopes or super().places(scope)

    def store_name(self, name: str, value: Obj) -> None:
        """Bind a name; at an observed statement the binding is recorded."""
        super().store_name(name, value)
        if self._watches():
            self._bind(name, value)

    def opaque(self, node: ast.Call, name: str, *, receiver: Obj | None = None, args: Arguments | None = None) -> Obj:
        """A call of unknown code, recorded."""
        if not self.abroad:
            self.unseen.append(Unseen(node, name))
        return super().opaque(node, name, receiver=receiver, args=args)

    def executed(self, stmt: Stmt) -> None:
        """After an observed statement: record its values with their places now."""
        if stmt not in self._observed or self.abroad:
            return
        targets = stmt.node.targets if isinstance(stmt.node, ast.Assign) else ()
        for target in targets:
            if isinstance(target, ast.Attribute):
                self._bind(self.source.code(target), super().eval(target))
        rows = tuple(frame.stmt.node.lineno for frame in self.stack[:-1])
        shown = self.beliefs.setdefault(rows, [])
        for belief in self._open.values():
            # the effects of the body of a compound statement are not those of its header
            now = belief if stmt.suites else belief._replace(after=self.lying(belief.value))
            if self.repeating:  # where an iteration finds something else than the first
                if any(_alike(now, known) for known in shown):
                    continue
                now = now._replace(text=f"{now.text} (later iterations)")
            if not any(_alike(now, known) for known in shown):
                shown.append(now)
        self._open = {}

    def _bind(self, text: str, value: Obj) -> None:
        """The statement binds a name: until then its previous value counts. The expression of the new value is not listed again."""
        lies = self.lying(value)
        held = self._open.get(text)
        before = held.before if held is not None and self.lying(held.value) != UNKNOWN_PLACE else lies
        self._open = {other: b for other, b in self._open.items() if b.value is not value or b.bound}
        self._open[text] = Belief(text, value, before, lies, bound=True)

    def _watches(self) -> bool:
        return bool(self.stack) and self.stack[-1].stmt in self._observed and not self.abroad

    def observe(self, node: ast.expr, value: Obj) -> None:
        """Record the value of an expression that is worth showing."""
        if self._watches() and isinstance(node, _SHOWN):
            text = self.source.code(node)
            if "\n" not in text and text not in self._open:
                lies = self.lying(value)
                self._open[text] = Belief(text, value, lies, lies, bound=False)


def _alike(a: Belief, b: Belief) -> bool:
    """Whether two beliefs read the same: a loop runs its body more than once."""
    return (
        a.text == b.text
        and a.value.kind == b.value.kind
        and a.value.origin is b.value.origin
        and (a.before, a.after, a.bound) == (b.before, b.after, b.bound)
    )
