"""Code that needs CUDA independently of placement: libraries for GPUs, streams, NCCL, assertions, and calls of functions that need it.

No fix removes such a need. The functions of the repository that a file calls are followed, in its other files too.
"""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, NamedTuple

from placefix.facts import cuda_api
from placefix.facts.accelerators import CUDA
from placefix.facts.naming import last, mentions_exit, names_nccl
from placefix.facts.program.arguments import self_class
from placefix.facts.program.ast_names import (
    argument_values,
    defaults,
    dotted,
    has_name,
    identifiers,
    is_name,
    literal_int,
    literal_text,
    unpacks,
)
from placefix.facts.program.ast_walk import children, header, walk
from placefix.facts.program.callees import definition_of, is_plain, parameter_of
from placefix.facts.program.statement_forms import is_main_guard

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Sequence

    from placefix.facts.context import AnalysisContext
    from placefix.facts.program.repository import Home
    from placefix.facts.program.tree import Scope, Stmt, Suite, Tree

_MAX_FUNCTIONS = 40  # that are followed for one call
_MAX_BASES = 4
# Methods that run when an object of a class is made or called.
_OF_OBJECTS = ("__new__", "__init__", "forward", "__call__")
_IMPORTS = frozenset(("import_module", "__import__", "optional_import"))
_LOOPS_AND_BLOCKS = (ast.For, ast.AsyncFor, ast.While, ast.With, ast.AsyncWith)
_LEAVES = (ast.Return, ast.Break, ast.Continue)
# The functions of torch.cuda that PF406 looks at: some of their calls have a fix.
_REPAIRED = CUDA.procedures | CUDA.answers


class _Run(NamedTuple):
    """The runs of a function in which some parameters are None."""

    function: Scope
    none: frozenset[str]


class CudaDependence:
    """Answers for one file."""

    def __init__(self, context: AnalysisContext) -> None:
        self.context = context
        self._known: dict[_Run, bool] = {}
        self._summaries: dict[_Run, tuple[bool, tuple[_Run, ...]]] = {}
        self._callees: dict[ast.Call, Sequence[Scope]] = {}
        self._decisive: dict[Scope, frozenset[str]] = {}
        self._homes: dict[Tree, Home | None] = {}

    def causes(self, within: Scope | None = None) -> Iterator[tuple[ast.expr, Stmt]]:
        """The calls and assertions of the file, or of one scope, that fail without CUDA, guarded or not."""
        for call, stmt in self.context.index.calls:
            if within is not None and stmt.scope is not within:
                continue
            if self._fails(call, stmt.scope) or self._runs_what_requires(call, stmt.scope):
                yield call.func, stmt
        for stmt in self.context.tree.stmts.values():
            test = _asserted(stmt) if within is None or stmt.scope is within else None
            if test is not None and _is_cuda(test):
                yield test, stmt

    def _runs_what_requires(self, call: ast.Call, scope: Scope) -> bool:
        """Whether every run of a function that a call runs needs CUDA: of each, if it is one of several out of a dictionary."""
        callees = self.callees(call, scope)  # most calls have none that is known
        if callees and any(self._requires(self._run(callee, call)) for callee in callees):
            return True
        entries = self._entries(call.func, scope)
        return bool(entries) and all(self._requires(self._run(one, call)) for one in entries)

    def _requires(self, run: _Run) -> bool:
        """Whether every such run of a function that ends needs CUDA."""
        if run not in self._known:
            self._known[run] = self._search(run)
        return self._known[run]

    def _search(self, run: _Run) -> bool:
        found = [run]
        for each in found:  # it grows on the way
            needs, callees = self._summary(each)
            if needs or any(map(self._known.get, callees)):
                return True
            found += [callee for callee in callees if callee not in found][: _MAX_FUNCTIONS - len(found)]
        return False

    def _summary(self, run: _Run) -> tuple[bool, tuple[_Run, ...]]:
        """Whether every such run of a function needs CUDA by its own statements, and the runs of functions in it."""
        if run not in self._summaries:
            function, none, needs = run.function, set(run.none), False
            callees: dict[_Run, None] = {}
            for stmt in certain_statements(function.body, none):
                needs = self._needs(stmt, function, none, callees)
                if needs:
                    break
                if none:
                    none -= _bound(stmt)
            self._summaries[run] = needs, tuple(callees)
        return self._summaries[run]

    def _needs(self, stmt: Stmt, function: Scope, none: Collection[str], callees: dict[_Run, None]) -> bool:
        """Whether a statement of a function needs CUDA by itself; `callees` gets the runs of the functions that it calls."""
        test = _asserted(stmt)
        if test is not None and (_is_cuda(test) or self._is_available(test, function)):
            return True
        for call in _evaluated(stmt, none):
            if self._fails(call, function) or _uses_answer(call, stmt):
                return True
            callees.update((self._run(callee, call), None) for callee in self.callees(call, function))
        return False

    def _run(self, function: Scope, call: ast.Call) -> _Run:
        """The run of a function by a call."""
        optional = defaults(function.function.args)
        none = {name for name, value in optional.items() if isinstance(value, ast.Constant) and value.value is None}
        if not none or unpacks(call):
            return _Run(function, frozenset())
        if function not in self._decisive:
            self._decisive[function] = frozenset(none & _decisive(function))
        none = set(self._decisive[function])
        given = argument_values(call) if none else []
        return _Run(function, frozenset(none.difference(parameter_of(call, value, function) for value in given)))

    # --- one call -----------------------------------------------------------------------------

    def _fails(self, call: ast.Call, scope: Scope) -> bool:
        """Whether a call needs CUDA by the name of the function, or by the number of a GPU that its parameter is by default."""
        name = scope.tree.qualname(call.func, scope) or _imported(call.func, scope)
        if name and cuda_api.fails_without(name):
            return name.removeprefix(f"{CUDA.functions}.") not in _REPAIRED
        if names_nccl(last(name or dotted(call.func))):
            return True
        function = next(iter(self.callees(call, scope)), None)
        if function is None:
            return False
        own = function.tree is self.context.tree  # its calls of .cuda() are uses of CUDA themselves
        return _leaves_number(call, function, ("to",) if own else ("to", "cuda"))

    def _is_available(self, test: ast.expr, scope: Scope) -> bool:
        return isinstance(test, ast.Call) and scope.tree.qualname(test.func, scope) == f"torch.{CUDA.available}"

    def callees(self, call: ast.Call, scope: Scope) -> Sequence[Scope]:
        """The functions of the repository that a call runs; of a class, those that its objects are made and called by."""
        if call not in self._callees:
            self._callees[call] = self._find_callees(call, scope)
        return self._callees[call]

    def _find_callees(self, call: ast.Call, scope: Scope) -> Sequence[Scope]:
        home = self._home(scope)
        found = definition_of(call.func, scope, home) or self._inherited(call.func, scope)
        if found is None and isinstance(call.func, ast.Attribute) and call.func.attr == "apply":
            cls = definition_of(call.func.value, scope, home)  # a torch.autograd.Function
            function = cls.functions.get("forward") if cls is not None and cls.is_class else None
            return [function] if function is not None else []
        if found is None:
            return []
        functions = [found.functions.get(name) for name in _OF_OBJECTS] if found.is_class else [found]
        return [f for f in functions if f is not None and f.is_function and is_plain(f)]

    def _entries(self, func: ast.expr, scope: Scope) -> Sequence[Scope]:
        """The functions of a dictionary of which a name holds one: ``run = {"a": first, "b": second}[kind]``; none for anything else."""
        entry = _bound_once(func, scope)
        table = entry.value if isinstance(entry, ast.Subscript) else None
        known = table if isinstance(table, ast.Dict) else _bound_once(table, scope)
        if not isinstance(known, ast.Dict):
            return ()
        found = [definition_of(value, scope, self._home(scope)) for value in known.values]
        functions = [f for f in found if f is not None and f.is_function and is_plain(f)]
        return functions if len(functions) == len(found) else ()

    def _inherited(self, func: ast.expr, scope: Scope) -> Scope | None:
        """The method of a base class that ``self.method`` names."""
        if not isinstance(func, ast.Attribute) or not isinstance(func.value, ast.Name):
            return None
        cls = self_class(scope.lookup(func.value.id), func.value.id)
        for _ in range(_MAX_BASES):
            if cls is None or cls.parent is None or not isinstance(cls.node, ast.ClassDef) or len(cls.node.bases) != 1:
                return None
            base = definition_of(cls.node.bases[0], cls.parent, self._home(cls))
            cls = base if base is not None and base.is_class else None
            if cls is not None and func.attr in cls.bindings:
                return cls.functions.get(func.attr)
        return None

    def _home(self, scope: Scope) -> Home | None:
        """Where the names of a scope are looked up: a function needs CUDA even if its file leaves placement to a framework."""
        tree = scope.tree
        if tree not in self._homes:
            home = self.context.home if tree is self.context.tree else tree.home
            self._homes[tree] = home._replace(frameworks=True) if home is not None else None
        return self._homes[tree]


def certain_statements(suite: Suite, none: Collection[str] = ()) -> Iterator[Stmt]:
    """The statements of a function, or of the module level of a script, that every run reaches; a loop is assumed to run. none: the
    names that are None when a statement is reached."""
    for stmt in suite.stmts:
        node = stmt.node
        enters = isinstance(node, ast.If) and _is_true(node.test, none)
        yield stmt
        if isinstance(node, _LOOPS_AND_BLOCKS) or is_main_guard(stmt) or enters:
            yield from certain_statements(stmt.suites[0], none)
        if _may_leave(stmt):
            return


def _may_leave(stmt: Stmt) -> bool:
    """Whether a statement may end the suite around it: as a return does, or an `if` with one."""
    return isinstance(stmt.node, _LEAVES) or any(_may_leave(inner) for suite in stmt.suites for inner in suite.stmts)


def _evaluated(stmt: Stmt, none: Collection[str]) -> Iterator[ast.Call]:
    """The calls of a statement's header that it always makes, if some names are None."""
    if isinstance(stmt.node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
        return
    todo = header(stmt.node)
    while todo:
        node = todo.pop()
        if isinstance(node, ast.Call):
            yield node
        if isinstance(node, ast.IfExp):
            todo.append(node.body if _is_true(node.test, none) else node.test)
        elif isinstance(node, ast.BoolOp):
            absent = isinstance(node.op, ast.Or) and _is_in(node.values[0], none)
            todo.append(node.values[1 if absent else 0])
        elif isinstance(node, (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)):
            todo.append(node.generators[0].iter)
        elif not isinstance(node, ast.Lambda):
            todo += children(node)


def _uses_answer(call: ast.Call, stmt: Stmt) -> bool:
    """Whether a statement computes with the result of a function of torch.cuda that raises without CUDA; a result that is only printed can be guarded."""
    module, _, name = (stmt.scope.tree.qualname(call.func, stmt.scope) or "").rpartition(".")
    placed = name == "current_device" and _is_destination(call, stmt)  # that has a fix
    return module == CUDA.functions and name in CUDA.answers and not placed and not isinstance(stmt.node, ast.Expr)


def _is_destination(call: ast.Call, stmt: Stmt) -> bool:
    """Whether a statement moves something to the result of a call."""
    return any(
        isinstance(node, ast.Call)
        and getattr(node.func, "attr", "") in ("to", "cuda")
        and any(given is call for given in argument_values(node))
        for node in walk(stmt.node)
    )


def _decisive(function: Scope) -> set[str]:
    """The names by which a function decides between two expressions or two blocks."""
    found: set[str] = set()
    for node in function.nodes:
        if isinstance(node, (ast.If, ast.IfExp)):
            found |= identifiers(node.test)
        elif isinstance(node, ast.BoolOp):
            found |= identifiers(node.values[0])
    return found


def _bound(stmt: Stmt) -> set[str]:
    """The names that a statement, with its blocks, binds."""
    return {node.id for node in walk(stmt.node) if isinstance(node, ast.Name) and not isinstance(node.ctx, ast.Load)}


def _bound_once(expr: ast.expr | None, scope: Scope) -> ast.expr | None:
    """The value of a name that a scope binds once; None for anything else."""
    bindings = scope.bindings.get(expr.id, ()) if isinstance(expr, ast.Name) else ()
    return bindings[0].value if len(bindings) == 1 and isinstance(bindings[0], ast.Assign) else None


def _is_in(expr: ast.expr, names: Collection[str]) -> bool:
    return isinstance(expr, ast.Name) and expr.id in names


def _is_true(test: ast.expr, none: Collection[str]) -> bool:
    """Whether a test is true because a name is None: ``x is None``, ``not x``."""
    if isinstance(test, ast.UnaryOp):
        return isinstance(test.op, ast.Not) and _is_in(test.operand, none)
    return (
        isinstance(test, ast.Compare)
        and isinstance(test.ops[0], ast.Is)
        and _is_in(test.left, none)
        and isinstance(test.comparators[0], ast.Constant)
        and test.comparators[0].value is None
    )


def _asserted(stmt: Stmt) -> ast.expr | None:
    """The condition that holds below ``assert test`` or ``if not test: raise``; None for other statements."""
    node = stmt.node
    if isinstance(node, ast.Assert):
        test = node.test
        return test.values[0] if isinstance(test, ast.BoolOp) and isinstance(test.op, ast.And) else test
    if isinstance(node, ast.If) and isinstance(node.test, ast.UnaryOp) and isinstance(node.test.op, ast.Not):
        end = node.body[-1]
        stops = isinstance(end, ast.Raise) or (
            isinstance(end, ast.Expr) and isinstance(end.value, ast.Call) and mentions_exit(dotted(end.value.func))
        )
        return node.test.operand if stops else None
    return None


def _is_cuda(test: ast.expr) -> bool:
    """``x.is_cuda``"""
    return isinstance(test, ast.Attribute) and test.attr == "is_cuda"


def _imported(func: ast.expr, scope: Scope) -> str:
    """The qualified name of ``trt.Builder`` after ``trt = import_module("tensorrt")``; empty for anything else."""
    root, dot, rest = dotted(func).partition(".")
    owner = scope.lookup(root) if dot else None
    bindings = owner.bindings.get(root, ()) if owner is not None else ()
    if len(bindings) != 1 or not isinstance(bindings[0], ast.Assign):
        return ""
    call = bindings[0].value
    if not isinstance(call, ast.Call) or last(dotted(call.func)) not in _IMPORTS or not call.args:
        return ""
    module = literal_text(call.args[0])
    return f"{module}.{rest}" if module is not None else ""


def _leaves_number(call: ast.Call, function: Scope, moves: Collection[str]) -> bool:
    """Whether a function moves, by one of some methods, to the GPU whose number a parameter is by default, and a call leaves it so."""
    given = argument_values(call)
    if unpacks(call):
        return False
    numbers = {
        name
        for name, value in defaults(function.function.args).items()
        if (number := literal_int(value)) is not None and number >= 0
    }
    left = numbers - {parameter_of(call, value, function) for value in given} if numbers else numbers
    return any(len(function.bindings.get(name, ())) == 1 and _moves_to(name, function, moves) for name in left)


def _moves_to(name: str, function: Scope, methods: Collection[str]) -> bool:
    """Whether a function moves values to the device in a parameter, and never tests the parameter."""
    moves = False
    for node in function.nodes:
        if isinstance(node, (ast.If, ast.IfExp)) and has_name(node.test, name):
            return False
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in methods:
            moves = moves or (len(node.args) == 1 and is_name(node.args[0], name))
    return moves
