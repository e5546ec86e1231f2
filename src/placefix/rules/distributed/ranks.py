"""The rank of a process: the expressions that are it, and the processes that run a statement."""

from __future__ import annotations

import ast
import operator
from typing import TYPE_CHECKING, Any, NamedTuple

from placefix.facts.context import FileAnalysis
from placefix.facts.naming import names_rank
from placefix.facts.program.ast_names import dotted
from placefix.facts.program.callees import code_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from placefix.facts.program.tree import Scope, Stmt

# A test is evaluated for these ranks; a rank below 0 is that of a run without a process group.
EVERY = frozenset(range(4))
FIRST = frozenset((0,))
OTHERS = EVERY - FIRST
_NONE: frozenset[int] = frozenset()
_CALLS = frozenset(("torch.distributed.get_rank", "torch.distributed.get_node_local_rank"))
_VARIABLES = frozenset(
    ("RANK", "LOCAL_RANK", "SLURM_PROCID", "SLURM_LOCALID", "OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_LOCAL_RANK")
)
_COMPARISONS: dict[type[ast.cmpop], Callable[[Any, Any], bool]] = {
    ast.Eq: operator.eq, ast.NotEq: operator.ne, ast.Lt: operator.lt, ast.LtE: operator.le, ast.Gt: operator.gt, ast.GtE: operator.ge,
    ast.In: lambda a, b: a in b, ast.NotIn: lambda a, b: a not in b,
}  # fmt: skip
_MIRRORED: dict[type[ast.cmpop], type[ast.cmpop]] = {
    ast.Eq: ast.Eq, ast.NotEq: ast.NotEq, ast.Lt: ast.Gt, ast.Gt: ast.Lt, ast.LtE: ast.GtE, ast.GtE: ast.LtE
}  # fmt: skip
_LEAVES = (ast.Return, ast.Raise, ast.Continue, ast.Break)
_MAX_DEPTH = 4


class Processes(NamedTuple):
    """The processes for which a test is true, by rank. least: those for which it is true whatever else holds; most: those for which it can
    be true. name: the rank, where it is known by its name alone, else ""."""

    least: frozenset[int]
    most: frozenset[int]
    name: str = ""

    def and_(self, other: Processes) -> Processes:
        """Those for which both are true."""
        return Processes(self.least & other.least, self.most & other.most, self.name or other.name)

    def inverted(self) -> Processes:
        """Those for which it is false."""
        return Processes(EVERY - self.most, EVERY - self.least, self.name)


ANY = Processes(_NONE, EVERY)  # a test that is not about ranks
ALL = Processes(EVERY, EVERY)


class Ranks(FileAnalysis):
    """The ranks of one file, and of the functions that it calls."""

    def running(self, stmt: Stmt) -> Processes:
        """The processes that run a statement, among those that call its function: by the tests around it, and by those above it that
        leave its suite."""
        found = ALL
        for inner in (stmt, *stmt.ancestors()):
            for above in inner.suite.stmts[: inner.index]:
                if isinstance(above.node, ast.If) and len(above.suites) == 1 and _leaves(above):
                    found = found.and_(self.of_test(above.node.test, above.scope).inverted())
            owner = inner.suite.owner
            if owner is not None and isinstance(owner.node, ast.If):
                test = self.of_test(owner.node.test, owner.scope)
                found = found.and_(test if inner.suite.arm == "body" else test.inverted())
        return found

    def of_test(self, test: ast.expr, scope: Scope, depth: int = 0) -> Processes:
        """The processes for which a test in a scope is true."""
        if isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not):
            return self.of_test(test.operand, scope, depth).inverted()
        if isinstance(test, ast.BoolOp):
            parts = [self.of_test(value, scope, depth) for value in test.values]
            inverted = isinstance(test.op, ast.Or)
            found = ALL
            for part in parts:
                found = found.and_(part.inverted() if inverted else part)
            return found.inverted() if inverted else found
        if isinstance(test, ast.Compare):
            return self._of_comparison(test, scope, depth)
        number = self.number(test, scope, depth)
        if number is not None:
            return _where(bool, number)
        value = self._value(test, scope) if depth < _MAX_DEPTH else None
        return self.of_test(*value, depth + 1) if value is not None else ANY

    def _of_comparison(self, test: ast.Compare, scope: Scope, depth: int) -> Processes:
        if len(test.ops) != 1:
            return ANY
        kind, left, right = type(test.ops[0]), test.left, test.comparators[0]
        if isinstance(left, ast.Constant) and kind in _MIRRORED:
            kind, left, right = _MIRRORED[kind], right, left
        holds = _COMPARISONS.get(kind)
        number = self.number(left, scope, depth)
        if holds is None or number is None:
            return ANY
        try:
            other = ast.literal_eval(right)
            return _where(lambda rank: holds(rank, other), number)
        except (ValueError, TypeError):
            return ANY

    def _value(self, test: ast.expr, scope: Scope) -> tuple[ast.expr, Scope] | None:
        """The one expression that a name is bound to, or a function returns, with its scope."""
        if isinstance(test, ast.Call):
            function = code_of(test, scope, self.context.home)
            returned = function.tree.returns.get(function, ()) if function is not None else ()
            if function is None or len(returned) != 1 or returned[0].value is None:
                return None
            return returned[0].value, function
        if isinstance(test, ast.Name) and scope.tree is self.context.tree:
            owner = scope.lookup(test.id)
            value = self.context.index.only_value(owner, test.id) if owner is not None else None
            if owner is not None and value is not None:
                return value, owner
        return None

    def number(self, expr: ast.expr, scope: Scope, depth: int = 0) -> str | None:
        """Whether an expression is the rank of the process, in its machine or among all: its text if that is known by the name alone, ""
        if it is shown, None if it is no rank."""
        if depth > _MAX_DEPTH:
            return None
        if isinstance(expr, ast.Call):
            return self._called(expr, scope, depth)
        if isinstance(expr, ast.Subscript):
            return "" if _is_variable(expr.slice) and dotted(expr.value).endswith("environ") else None
        text = dotted(expr)
        if not text:
            return None
        values = list(self._bound(text, expr, scope))
        found = [self.number(value, where, depth + 1) for value, where in values if not _is_default(value)]
        if found and None not in found:
            return next((n for n in found if n), "")
        if isinstance(expr, ast.Name) and (values or self._counts(expr.id, scope)):
            return None
        return text if names_rank(text) else None

    @staticmethod
    def _counts(name: str, scope: Scope) -> bool:
        """Whether a name is bound by a loop, which may be over all ranks."""
        owner = scope.lookup(name)
        return owner is not None and any(isinstance(b, (ast.For, ast.AsyncFor)) for b in owner.bindings.get(name, ()))

    def _bound(self, text: str, expr: ast.expr, scope: Scope) -> Iterator[tuple[ast.expr, Scope]]:
        """The values that a name or an attribute of this file is bound to; nothing if some are not known."""
        if scope.tree is not self.context.tree:
            return
        if isinstance(expr, ast.Name):
            owner = scope.lookup(text)
            writes = self.context.index.values(owner, text) if owner is not None else ()
            if owner is None or len(writes) != len(owner.bindings.get(text, ())):
                return
        else:
            writes = self.context.index.written(text)
        if all(write.value is not None for write in writes):
            yield from ((write.value, write.stmt.scope) for write in writes if write.value is not None)

    def _called(self, call: ast.Call, scope: Scope, depth: int) -> str | None:
        """Whether a call returns the rank."""
        name = scope.tree.qualname(call.func, scope)
        if name in _CALLS:
            return None if call.args or call.keywords else ""
        if dotted(call.func) == "int" and len(call.args) == 1:
            return self.number(call.args[0], scope, depth + 1)
        if name == "os.getenv" or dotted(call.func).endswith("environ.get"):
            return "" if call.args and _is_variable(call.args[0]) else None
        function = code_of(call, scope, self.context.home)
        if function is None:
            return None
        values = [node.value for node in function.tree.returns.get(function, ())]
        found = [self.number(v, function, depth + 1) for v in values if v is not None and not _is_default(v)]
        if not found or None in values or any(number is None for number in found):
            return None
        return next((n for n in found if n), "")


def _where(holds: Callable[[int], bool], name: str) -> Processes:
    """The processes for whose rank something holds."""
    ranks = frozenset(rank for rank in EVERY if holds(rank))
    return Processes(ranks, ranks, name)


def _is_variable(key: ast.expr) -> bool:
    return isinstance(key, ast.Constant) and key.value in _VARIABLES


def _is_default(value: ast.expr) -> bool:
    """Whether a value is the rank of a run without a process group."""
    try:
        return ast.literal_eval(value) in (0, -1)
    except (ValueError, TypeError):
        return False


def _leaves(test: Stmt) -> bool:
    """Whether the body of an `if` ends the suite around it."""
    return isinstance(test.suites[0].stmts[-1].node, _LEAVES)
