"""Statements in the abstract interpreter: their effects on the state, along every path."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, Any

from placefix.facts.interpret.assignment_targets import bind, bind_loop
from placefix.facts.interpret.cuda_tests import cuda_test
from placefix.facts.interpret.device_contexts import places_new_tensors
from placefix.facts.interpret.moving_averages import note_average
from placefix.facts.interpret.state import join
from placefix.facts.interpret.values import Frame, Obj, is_literal_none, moment
from placefix.facts.program.ast_names import is_literal
from placefix.facts.program.dead_arms import constant_truth
from placefix.facts.program.statement_forms import is_main_guard

if TYPE_CHECKING:
    from collections.abc import Callable

    from placefix.facts.interpret.expressions import Expressions
    from placefix.facts.interpret.state import State
    from placefix.facts.program.tree import Stmt, Suite


def execute(machine: Expressions, suite: Suite) -> None:
    """Run the statements of a suite, up to one that leaves it."""
    stack = machine.stack
    here = stack[-1]
    handlers = _STATEMENTS.get
    for stmt in suite.stmts:
        if machine.state.dead:
            break
        node = stmt.node
        handler = handlers(node.__class__)
        if handler is not None:
            stack[-1] = Frame(here.activation, stmt)
            handler(machine, stmt, node)
            machine.executed(stmt)
    stack[-1] = here


def _expr(machine: Expressions, stmt: Stmt, node: ast.Expr) -> None:
    value = node.value
    if isinstance(value, ast.Constant):
        return
    machine.eval(value)


def _assign(machine: Expressions, stmt: Stmt, node: ast.Assign) -> None:
    value = machine.collected(node.value)
    for target in node.targets:
        bind(machine, target, value, stmt)


def _annassign(machine: Expressions, stmt: Stmt, node: ast.AnnAssign) -> None:
    if node.value is not None:
        bind(machine, node.target, machine.collected(node.value), stmt)


def _augassign(machine: Expressions, stmt: Stmt, node: ast.AugAssign) -> None:
    value = machine.collected(node.value)
    old = machine.eval(node.target)
    if old.kind in ("list", "params") and value.members:
        old.members = tuple(dict.fromkeys((*old.members, *value.members)))
        return
    if isinstance(node.target, (ast.Name, ast.Attribute)):
        result = (
            machine.tensor_op(node.target, (old, value), (node.target, node.value), into=old)
            if "tensor" in (old.kind, value.kind) or "element" in (old.kind, value.kind)
            else Obj("unknown", node)
        )
        result.dims = old.dims if not isinstance(node.op, ast.MatMult) else 0
        if old.is_constant:
            result = Obj("unknown", node)
        bind(machine, node.target, result, stmt)
    elif value.is_tensor_like:
        machine.tensor_op(node.target, (old, value), (node.target, node.value), into=old)


def _return(machine: Expressions, stmt: Stmt, node: ast.Return) -> None:
    value = machine.collected(node.value) if node.value is not None else Obj("const", node)
    if not machine.inside[-1]:  # otherwise the caller's uses are its uses
        for item in machine.flatten(value):
            machine.use(item, "escape", node.value)
            machine.use_generated(item, node.value)
    machine.returns[-1].append((value, machine.state.copy()))
    machine.state.dead = "return"


def _if(machine: Expressions, stmt: Stmt, node: ast.If) -> None:
    machine.eval(node.test)
    if is_main_guard(stmt):
        execute(machine, stmt.suites[0])
        return
    truth = _known_answer(machine, node.test)
    if truth is not None:
        for suite in stmt.suites[:1] if truth else stmt.suites[1:]:
            execute(machine, suite)
        return
    flag = cuda_test(machine, node.test)
    before, turned, since = machine.state, len(machine.turned), moment()
    machine.state = before.copy()
    machine.state.spared = before.spared or flag.spares_a
    machine.narrow(node.test, True)
    execute(machine, stmt.suites[0])
    then = machine.state
    machine.state = before
    before.spared = before.spared or flag.spares_b
    machine.narrow(node.test, False)
    if len(stmt.suites) > 1:
        execute(machine, stmt.suites[1])
    machine.agree(turned, since, then, machine.state)
    if _is_none(machine, node.test) and not then.dead:
        machine.state = then
    else:
        machine.state = join(then, machine.state, since, flag=flag)


def _known_answer(machine: Expressions, test: ast.expr) -> bool | None:
    """The answer of a test that is a constant, or whether a parameter is None for which the call gives nothing; None for other tests."""
    if not isinstance(test, ast.Compare):
        return constant_truth(test)
    scope, name = machine.scopes_active[-1], test.left.id if isinstance(test.left, ast.Name) else ""
    bound = scope.bindings.get(name, ()) if machine.inside[-1] and machine.skips_arms else ()
    asks = isinstance(test.ops[0], (ast.Is, ast.IsNot)) and is_literal(test.comparators[0], None)
    if not asks or len(bound) != 1 or not isinstance(bound[0], ast.arg):
        return constant_truth(test)
    return isinstance(test.ops[0], ast.Is) if is_literal_none(machine.eval(test.left)) else None


def _is_none(machine: Expressions, test: ast.expr) -> bool:
    """Whether a test is ``x is None`` of a value that is None here: ``if self._net is None: self._net = …``"""
    if not (isinstance(test, ast.Compare) and len(test.ops) == 1 and isinstance(test.ops[0], ast.Is)):
        return False
    compared, other = test.left, test.comparators[0]
    if not (is_literal(other, None) and isinstance(compared, (ast.Name, ast.Attribute))):
        return False
    return is_literal_none(machine.eval(compared))


def _for(machine: Expressions, stmt: Stmt, node: ast.For) -> None:
    iterable = machine.eval(node.iter)
    before = machine.state.copy()
    items = iterable.items if iterable.is_sequence and iterable.items and 0 < len(iterable.items) <= 6 else None
    if items and all(i.is_module or i.kind == "optimizer" for i in items):
        left: list[State] = []
        since = moment()
        for item in items:  # a loop over a literal list of modules runs for each of them

            def one(item: Obj = item) -> None:
                """One iteration over a container with known items."""
                bind(machine, node.target, item, stmt)
                execute(machine, stmt.suites[0])

            machine.state = _iteration(machine, one, left)
            machine.state.dead = ""
        _join_breaks(machine, left, since)
        return

    note_average(machine, node)

    def body() -> None:
        """One iteration."""
        bind_loop(machine, node.target, iterable, node.iter, stmt)
        execute(machine, stmt.suites[0])

    _loop(machine, stmt, before, body)


def _while(machine: Expressions, stmt: Stmt, node: ast.While) -> None:
    def body() -> None:
        """One iteration."""
        machine.eval(node.test)
        execute(machine, stmt.suites[0])

    _loop(machine, stmt, machine.state.copy(), body)


def _loop(machine: Expressions, stmt: Stmt, before: State, body: Callable[[], None]) -> None:
    """Run a loop's body as its first iteration, and again as the next one if that starts with
    other values: a module placed or wrapped, a tensor moved, an optimizer made again."""
    left: list[State] = []
    since = moment()
    end = _iteration(machine, body, left)
    if not end.dead and not machine.abroad and machine.repeating < 2 and machine.differs(before, end):
        machine.repeating += 1
        machine.state = end.copy()
        again = _iteration(machine, body, left)
        machine.repeating -= 1
        if not again.dead:
            end = join(again, end, since) if machine.differs(end, again) else again
    if machine.may_skip(stmt):
        end = before if end.dead else join(end, before, since)
    machine.state = end
    _join_breaks(machine, left, since)
    for suite in stmt.suites[1:]:
        execute(machine, suite)


def _join_breaks(machine: Expressions, left: list[State], since: int) -> None:
    """Go on behind a loop that began at the moment `since`, where its breaks lead as well."""
    for state in left:
        state.dead = ""
        machine.state = join(state, machine.state, since)


def _iteration(machine: Expressions, body: Callable[[], None], left: list[State]) -> State:
    """The state in which one iteration ends, dead where none reaches its end; `left` gets the
    states in which it breaks out of the loop."""
    machine.jumps.append([])
    since = moment()
    body()
    end = machine.state
    for state in machine.jumps.pop():
        if state.dead == "break":
            left.append(state)
        else:
            state.dead = ""
            end = join(end, state, since)
    return end


def _with(machine: Expressions, stmt: Stmt, node: ast.With) -> None:
    before = machine.ambient
    entered: list[tuple[Obj, ast.expr]] = []
    for item in node.items:
        value = machine.eval(item.context_expr)
        entered.append((value, item.context_expr))
        machine.ambient |= places_new_tensors(machine, value, item.context_expr)
        result = _run_of_context(machine, value, "__enter__", item.context_expr)
        if item.optional_vars is not None:
            bind(machine, item.optional_vars, result or value, stmt)
    execute(machine, stmt.suites[0])
    if any(value is machine.entering for value, _ in entered):
        machine.entering = None
    machine.ambient = before or machine.entering is not None
    for value, expr in reversed(entered):
        _run_of_context(machine, value, "__exit__", expr)


def _run_of_context(machine: Expressions, context: Obj, name: str, expr: ast.expr) -> Obj | None:
    """The result of `__enter__` or `__exit__` of an object of a class of the repository; None if it is not run."""
    info = context.cls if context.is_instance else None
    method = info.methods.get(name) if info is not None else None
    if method is None or machine.state.dead:
        return None
    return machine.accessed(method, context, expr)


def _try(machine: Expressions, stmt: Stmt, node: ast.Try) -> None:
    before, since = machine.state.copy(), moment()
    arms = {suite.arm: suite for suite in stmt.suites}
    execute(machine, arms["body"])
    if not machine.state.dead and "orelse" in arms:
        execute(machine, arms["orelse"])
    result = machine.state
    middle = join(before, result, since) if not result.dead else before
    for arm, suite in arms.items():
        if arm.startswith("handler"):
            machine.state = middle.copy()
            execute(machine, suite)
            # an import fallback or a reported failure: the body is the path that counts
            result = join(result, machine.state, since)
    machine.state = result
    if "finalbody" in arms:
        dead, machine.state.dead = machine.state.dead, ""
        execute(machine, arms["finalbody"])
        machine.state.dead = machine.state.dead or dead


def _match(machine: Expressions, stmt: Stmt, node: ast.Match) -> None:
    machine.eval(node.subject)
    before, since = machine.state, moment()
    result = before.copy()
    for suite in stmt.suites:
        machine.state = before.copy()
        execute(machine, suite)
        result = join(result, machine.state, since)
    machine.state = result


def _function(machine: Expressions, stmt: Stmt, node: ast.FunctionDef) -> None:
    scope = machine.tree.scopes[node]
    for default in (*node.args.defaults, *(d for d in node.args.kw_defaults if d is not None)):
        machine.eval(default)
    for decorator in node.decorator_list:
        machine.eval(decorator)
    machine.store_name(node.name, Obj("function", node, scope=scope))


def _class(machine: Expressions, stmt: Stmt, node: ast.ClassDef) -> None:
    scope = machine.tree.scopes[node]
    # class-level values: run the plain statements of the body in a separate environment
    machine.activation += 1
    machine.envs[scope] = machine.activation
    machine.scopes_active.append(scope)
    machine.stack.append(Frame(machine.activation, stmt))
    for inner in scope.body.stmts:
        if isinstance(inner.node, (ast.Assign, ast.AnnAssign)):
            machine.stack[-1] = Frame(machine.stack[-1].activation, inner)
            _STATEMENTS[inner.node.__class__](machine, inner, inner.node)
    machine.stack.pop()
    machine.scopes_active.pop()
    del machine.envs[scope]
    machine.store_name(node.name, Obj("class", node, scope=scope))


def _delete(machine: Expressions, stmt: Stmt, node: ast.Delete) -> None:
    for target in node.targets:
        if isinstance(target, ast.Name):
            machine.store_name(target.id, Obj("unknown", node))


def _raise(machine: Expressions, stmt: Stmt, node: ast.Raise) -> None:
    if node.exc is not None:
        machine.eval(node.exc)
    machine.state.dead = "raise"


def _leave(machine: Expressions, stmt: Stmt, node: ast.Break | ast.Continue) -> None:
    machine.state.dead = "break" if isinstance(node, ast.Break) else "continue"
    if machine.jumps:
        machine.jumps[-1].append(machine.state.copy())


def _assert(machine: Expressions, stmt: Stmt, node: ast.Assert) -> None:
    machine.eval(node.test)
    machine.narrow(node.test, True)


_STATEMENTS: dict[type[ast.AST], Callable[[Expressions, Stmt, Any], None]] = {
    ast.Expr: _expr,
    ast.Assign: _assign,
    ast.AnnAssign: _annassign,
    ast.AugAssign: _augassign,
    ast.Return: _return,
    ast.If: _if,
    ast.For: _for,
    ast.AsyncFor: _for,
    ast.While: _while,
    ast.With: _with,
    ast.AsyncWith: _with,
    ast.Match: _match,
    ast.Try: _try,
    ast.FunctionDef: _function,
    ast.AsyncFunctionDef: _function,
    ast.ClassDef: _class,
    ast.Delete: _delete,
    ast.Raise: _raise,
    ast.Break: _leave,
    ast.Continue: _leave,
    ast.Assert: _assert,
}
if hasattr(ast, "TryStar"):
    _STATEMENTS[ast.TryStar] = _try
