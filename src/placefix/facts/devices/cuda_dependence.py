"""Code that needs CUDA independently of placement: libraries for GPUs, streams, NCCL, assertions, and calls of functions that need it.

No fix removes such a need. The functions of the repository that a file calls are followed, in its other files too.
"""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from placefix.facts import cuda_api
from placefix.facts.accelerators import CUDA
from placefix.facts.naming import last, mentions_exit, names_nccl
from placefix.facts.program.ast_names import defaults, dotted, unpacks
from placefix.facts.program.ast_walk import children, header, walk
from placefix.facts.program.callees import definition_of, is_plain, parameter_of
from placefix.facts.program.conditions import self_class
from placefix.facts.program.statement_forms import is_main_guard

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Sequence

    from placefix.facts.context import AnalysisContext
    from placefix.facts.program.repository import Home
    from placefix.facts.program.tree import Scope, Stmt, Suite

_MAX_FUNCTIONS = 40  # that are followed for one call
_MAX_BASES = 4
# Methods that run when an object of a class is made or called.
_OF_OBJECTS = ("__new__", "__init__", "forward", "__call__")
_IMPORTS = frozenset(("import_module", "__import__", "optional_import"))
_LOOPS_AND_BLOCKS = (ast.For, ast.AsyncFor, ast.While, ast.With, ast.AsyncWith)
_LEAVES = (ast.Return, ast.Break, ast.Continue)
# The functions of torch.cuda that PF406 looks at: some of their calls have a fix.
_REPAIRED = CUDA.procedures | CUDA.answers


class CudaDependence:
    """Answers for one file."""

    def __init__(self, context: AnalysisContext) -> None:
        self.context = context
        self._known: dict[Scope, bool] = {}
        self._summaries: dict[Scope, tuple[bool, tuple[Scope, ...]]] = {}
        self._callees: dict[ast.Call, Sequence[Scope]] = {}

    def causes(self, within: Scope | None = None) -> Iterator[tuple[ast.expr, Stmt]]:
        """The calls and assertions of the file, or of one scope, that fail without CUDA, guarded or not."""
        for call, stmt in self.context.index.calls:
            if within is not None and stmt.scope is not within:
                continue
            if self._fails(call, stmt.scope) or any(map(self.requires, self.callees(call, stmt.scope))):
                yield call.func, stmt
        for stmt in self.context.tree.stmts.values():
            test = _asserted(stmt) if within is None or stmt.scope is within else None
            if test is not None and _is_cuda(test):
                yield test, stmt

    def requires(self, function: Scope) -> bool:
        """Whether every run of a function that ends needs CUDA."""
        if function not in self._known:
            self._known[function] = self._search(function)
        return self._known[function]

    def _search(self, function: Scope) -> bool:
        found = [function]
        for each in found:  # it grows on the way
            needs, callees = self._summary(each)
            if needs or any(map(self._known.get, callees)):
                return True
            found += [callee for callee in callees if callee not in found][: _MAX_FUNCTIONS - len(found)]
        return False

    def _summary(self, function: Scope) -> tuple[bool, tuple[Scope, ...]]:
        """Whether every run of a function needs CUDA by its own statements, and the functions that every run calls."""
        if function not in self._summaries:
            callees: dict[Scope, None] = {}
            needs = any(self._needs(stmt, function, callees) for stmt in certain_statements(function.body))
            self._summaries[function] = needs, tuple(callees)
        return self._summaries[function]

    def _needs(self, stmt: Stmt, function: Scope, callees: dict[Scope, None]) -> bool:
        """Whether a statement of a function needs CUDA by itself; `callees` gets the functions that it calls."""
        test = _asserted(stmt)
        if test is not None and (_is_cuda(test) or self._is_available(test, function)):
            return True
        for call in _evaluated(stmt):
            if self._fails(call, function) or _uses_answer(call, stmt):
                return True
            callees.update(dict.fromkeys(self.callees(call, function)))
        return False

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
        return self.context.home if scope.tree is self.context.tree else scope.tree.home


def certain_statements(suite: Suite) -> Iterator[Stmt]:
    """The statements of a function, or of the module level of a script, that every run reaches; a loop is assumed to run."""
    for stmt in suite.stmts:
        yield stmt
        node = stmt.node
        if isinstance(node, _LOOPS_AND_BLOCKS) or is_main_guard(stmt):
            yield from certain_statements(stmt.suites[0])
        if _may_leave(stmt):
            return


def _may_leave(stmt: Stmt) -> bool:
    """Whether a statement may end the suite around it: as a return does, or an `if` with one."""
    return isinstance(stmt.node, _LEAVES) or any(_may_leave(inner) for suite in stmt.suites for inner in suite.stmts)


def _evaluated(stmt: Stmt) -> Iterator[ast.Call]:
    """The calls of a statement's header that it always makes."""
    if isinstance(stmt.node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
        return
    todo = header(stmt.node)
    while todo:
        node = todo.pop()
        if isinstance(node, ast.Call):
            yield node
        if isinstance(node, ast.IfExp):
            todo.append(node.test)
        elif isinstance(node, ast.BoolOp):
            todo.append(node.values[0])
        elif isinstance(node, (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)):
            todo.append(node.generators[0].iter)
        elif not isinstance(node, ast.Lambda):
            todo += children(node)


def _uses_answer(call: ast.Call, stmt: Stmt) -> bool:
    """Whether a statement computes with the result of a function of torch.cuda that raises without CUDA; a result that is only printed can be guarded."""
    module, _, name = (stmt.scope.tree.qualname(call.func, stmt.scope) or "").rpartition(".")
    placed = name == "current_device"  # a move to it has a fix
    return module == CUDA.functions and name in CUDA.answers and not placed and not isinstance(stmt.node, ast.Expr)


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
    module = call.args[0]
    named = isinstance(module, ast.Constant) and isinstance(module.value, str)
    return f"{module.value}.{rest}" if named else ""  # type: ignore[attr-defined]


def _leaves_number(call: ast.Call, function: Scope, moves: Collection[str]) -> bool:
    """Whether a function moves, by one of some methods, to the GPU whose number a parameter is by default, and a call leaves it so."""
    given = [*call.args, *(k.value for k in call.keywords)]
    if unpacks(call):
        return False
    numbers = {
        name
        for name, value in defaults(function.function.args).items()
        if isinstance(value, ast.Constant) and type(value.value) is int and value.value >= 0
    }
    left = numbers - {parameter_of(call, value, function) for value in given} if numbers else numbers
    return any(len(function.bindings.get(name, ())) == 1 and _moves_to(name, function, moves) for name in left)


def _moves_to(name: str, function: Scope, methods: Collection[str]) -> bool:
    """Whether a function moves values to the device in a parameter, and never tests the parameter."""
    moves = False
    for node in walk(function.node):
        if isinstance(node, (ast.If, ast.IfExp)) and any(
            isinstance(part, ast.Name) and part.id == name for part in walk(node.test)
        ):
            return False
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in methods:
            moves = moves or (len(node.args) == 1 and isinstance(node.args[0], ast.Name) and node.args[0].id == name)
    return moves
