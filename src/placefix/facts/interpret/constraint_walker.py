"""Runs the statements of one function over abstract values."""

from __future__ import annotations

import ast
from functools import cached_property
from typing import TYPE_CHECKING, Any

from placefix.facts.interpret.constraint_facts import Certain, Path, Value, join
from placefix.facts.interpret.evaluation import NUMBER, Evaluation

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from placefix.facts.interpret.constraint_facts import Fact
    from placefix.facts.program.tree import Scope, Stmt, Suite, Tree


class Body(Evaluation):
    """Runs the statements of one function; the tensors it made are in `creations` afterwards."""

    @cached_property
    def said(self) -> Certain:
        """All facts that were certain anywhere in the run, with the possible constraints of layers: a consequence that does not follow
        from these follows on no path."""
        facts: set[Fact] = set().union(*self.path.said)
        return Certain(facts, maybe=True, assumed=[v for v in self.arguments_of.values() if v.kind == "value"])

    def whole(self, scope: Scope, tensors: frozenset[str] = frozenset()) -> None:
        """Run `scope` as code elsewhere calls it, with arguments that are not known.

        tensors: parameters that are tensors in every call that runs to its end.
        """
        self.scope = scope
        bound = {name: Value(name=name, given=True) for name in tensors}
        for value in bound.values():
            self._tensor(value)
        returned = self._body(scope, bound)
        paths = [p for p in (*(p for _, p in returned), self.path) if not p.dead]
        self.proven = frozenset(
            n for n, v in self.arguments_of.items() if paths and all(("tensor", v) in p.known for p in paths)
        )
        self.end = paths
        for path in paths:
            for creation in path.through:
                creation.exits.append((path.known, path.through[creation]))

    def _body(self, scope: Scope, bound: dict[str, Value]) -> list[tuple[Value, Path]]:
        """Run a function's body with its local names; `self.path` is then the path that reaches its end."""
        arguments = scope.function.args
        env = {k: v for k, v in self.path.env.items() if k.startswith("<self>.")}
        names = [*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs]
        method = scope.parent is not None and scope.parent.is_class and not is_static(scope)
        for number, argument in enumerate(names):
            value = bound.get(argument.arg)
            if value is None:
                value = Value("self") if method and number == 0 else Value(name=argument.arg, given=True)
                if argument.annotation is not None and _is_tensor_type(self.tree, argument.annotation, scope):
                    self.path.add(("tensor", value))
            env[argument.arg] = value
        if not self.scopes:
            self.arguments_of = {a.arg: env[a.arg] for a in names}
        outer, self.path.env = self.path.env, env
        self.scopes.append(scope)
        self.returns.append([])
        self.suite(scope.body)
        returned = self.returns.pop()
        self.scopes.pop()
        for path in (*(p for _, p in returned), self.path):
            if self.scopes:  # attributes that were assigned inside stay
                path.env = {**outer, **{k: v for k, v in path.env.items() if k.startswith("<self>.")}}
        return returned

    def release(self) -> None:
        """Break the reference cycles; the run is good for nothing afterwards."""
        for creation in self.creations:
            creation.release()
        self.__dict__.clear()

    # --- statements ------------------------------------------------------------------------

    def suite(self, suite: Suite) -> None:
        """Run statements, up to one that leaves the suite on every path."""
        for stmt in suite.stmts:
            if self.path.dead:
                return
            self.stmt = stmt
            handler = _STATEMENTS.get(stmt.node.__class__)
            if handler is not None:
                handler(self, stmt, stmt.node)

    def s_expr(self, stmt: Stmt, node: ast.Expr) -> None:
        """Evaluate an expression statement."""
        self.eval(node.value)

    def s_assign(self, stmt: Stmt, node: ast.Assign) -> None:
        """Bind the targets of an assignment."""
        value = self.eval(node.value)
        for target in node.targets:
            self.bind(target, value)

    def s_annassign(self, stmt: Stmt, node: ast.AnnAssign) -> None:
        """Bind the target of an annotated assignment."""
        if node.value is not None:
            self.bind(node.target, self.eval(node.value))

    def s_augassign(self, stmt: Stmt, node: ast.AugAssign) -> None:
        """An augmented assignment: an operation of both values."""
        value = self.eval(node.value)
        target = node.target
        old = self.eval(target)
        result = self.operation([old, value])
        if not isinstance(target, ast.Subscript):
            self.bind(target, result)

    def s_return(self, stmt: Stmt, node: ast.Return) -> None:
        """Record the returned value and path, and end the path."""
        value = self.eval(node.value) if node.value is not None else NUMBER
        for creation in self.path.through if self.trying else ():
            creation.guarded = True
        self.returns[-1].append((value, self.path))
        self.path = self.path.leave()

    def s_raise(self, stmt: Stmt, node: ast.Raise) -> None:
        """End the path."""
        self.path.dead = True

    def s_leave(self, stmt: Stmt, node: ast.stmt) -> None:
        """End the path at `break` or `continue`, and keep it for the end of the loop."""
        if self.leaving:
            self.leaving[-1].append(self.path)
        self.path = self.path.leave()

    def s_if(self, stmt: Stmt, node: ast.If) -> None:
        """Run both arms and join their paths."""
        self.eval(node.test)
        self._arms([*stmt.suites], every=len(stmt.suites) > 1)

    def _arms(self, suites: Sequence[Suite], *, every: bool) -> None:
        """Run exclusive suites; without `every` one may be passed by."""
        before = self.path
        result: Path | None = None if every else before.copy()
        for suite in suites:
            self.path = before if suite is suites[-1] else before.copy()
            self.suite(suite)
            result = self.path if result is None else join(result, self.path)
        self.path = result or before

    def s_for(self, stmt: Stmt, node: ast.For) -> None:
        """Run a loop over items."""
        iterable = self.eval(node.iter)
        self._loop(stmt, lambda: self.bind(node.target, self.item(iterable)), passed=False)

    def s_while(self, stmt: Stmt, node: ast.While) -> None:
        """Run a loop under a test."""
        self.eval(node.test)
        self._loop(stmt, lambda: None, passed=True)

    def _loop(self, stmt: Stmt, start: Callable[[], None], *, passed: bool) -> None:
        """A body runs twice, so that what one pass leaves meets the next; `passed`: it may not run at all."""
        result: Path | None = self.path.copy() if passed else None
        for last in (False, True):
            start()
            self.leaving.append([])
            self.suite(stmt.suites[0])
            for path in self.leaving.pop():
                self.path = join(self.path, path)
            over = last or self.path.dead
            end = self.path if over else self.path.copy()
            result = end if result is None else join(result, end)
            if over:
                break
        self.path = result or self.path
        for suite in stmt.suites[1:]:
            self.suite(suite)

    def s_with(self, stmt: Stmt, node: ast.With) -> None:
        """Run a block with its context managers bound."""
        for item in node.items:
            value = self.eval(item.context_expr)
            if item.optional_vars is not None:
                self.bind(item.optional_vars, value)
            call = item.context_expr
            if isinstance(call, ast.Call) and self.qualname(call.func) == "torch.device":
                self.given_up = True  # tensors made here may be on another device
        self.suite(stmt.suites[0])

    def s_try(self, stmt: Stmt, node: ast.Try) -> None:
        """Run a block; handlers start from any state of it."""
        before = self.path.copy()
        self.trying += 1
        self.suite(stmt.suites[0])
        self.trying -= 1
        end = join(before, self.path)
        for suite in stmt.suites[1:]:
            if suite.arm.startswith("handler"):
                self.path = join(before.copy(), end.copy())
                self.suite(suite)
                end = join(end, self.path)
        self.path = end
        for suite in stmt.suites[1:]:
            if not suite.arm.startswith("handler"):
                self.suite(suite)

    def s_match(self, stmt: Stmt, node: ast.Match) -> None:
        """Run the cases and join their paths."""
        self.eval(node.subject)
        self._arms(stmt.suites, every=False)

    def s_assert(self, stmt: Stmt, node: ast.Assert) -> None:
        """Evaluate the test of an assertion."""
        self.eval(node.test)


def is_static(scope: Scope) -> bool:
    """Whether a function has no parameter for the instance, by its decorator."""
    return any(isinstance(d, ast.Name) and d.id == "staticmethod" for d in scope.function.decorator_list)


def _is_tensor_type(tree: Tree, annotation: ast.expr, scope: Scope) -> bool:
    name = (
        tree.qualname(annotation, scope.parent or scope) if isinstance(annotation, (ast.Name, ast.Attribute)) else None
    )
    return name in ("torch.Tensor", "torch.FloatTensor", "torch.LongTensor")


_STATEMENTS: dict[type[ast.AST], Callable[[Body, Stmt, Any], None]] = {
    ast.Expr: Body.s_expr,
    ast.Assign: Body.s_assign,
    ast.AnnAssign: Body.s_annassign,
    ast.AugAssign: Body.s_augassign,
    ast.Return: Body.s_return,
    ast.Raise: Body.s_raise,
    ast.Break: Body.s_leave,
    ast.Continue: Body.s_leave,
    ast.If: Body.s_if,
    ast.For: Body.s_for,
    ast.While: Body.s_while,
    ast.With: Body.s_with,
    ast.Try: Body.s_try,
    ast.Match: Body.s_match,
    ast.Assert: Body.s_assert,
}
