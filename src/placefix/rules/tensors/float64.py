"""Tensors and modules of float64 on a device that can be MPS, which has no float64: torch raises a TypeError there."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from placefix import torch_model
from placefix.facts import premises
from placefix.facts.accelerators import OTHERS
from placefix.facts.context import FileAnalysis
from placefix.facts.devices.cuda_uses import Site
from placefix.facts.devices.device_selection import Devices
from placefix.facts.finding import Finding
from placefix.facts.program.ast_names import called_name, dotted, identifiers, is_name, literal_text, may_give
from placefix.facts.program.ast_walk import walk
from placefix.facts.program.tree import dominates
from placefix.rules.cuda.gpu_requirements import Intents
from placefix.rules.cuda.refusals import Refusals
from placefix.rules.cuda.use_sites import Cuda

if TYPE_CHECKING:
    from collections.abc import Iterator

    from placefix.facts.context import AnalysisContext
    from placefix.facts.program.expression_index import AttributeWrite
    from placefix.facts.program.tree import Scope, Stmt

(_MPS,) = (other for other in OTHERS if other.name == "mps")
_FLOAT64 = frozenset(("torch.float64", "torch.double"))
# Functions of numpy whose result is float64: those whose second argument is a dtype, and those that take none.
_FILLS = frozenset(("numpy.zeros", "numpy.ones", "numpy.empty"))
_DRAWS = frozenset(("numpy.random.rand", "numpy.random.randn", "numpy.random.normal", "numpy.random.uniform"))
_TAKES_NUMPY = frozenset(("torch.from_numpy", "torch.tensor", "torch.as_tensor"))
_CASTS = frozenset(("float", "half", "bfloat16", "type", "type_as", "to"))


class Float64(FileAnalysis):
    """The answers for one file."""

    def __init__(self, context: AnalysisContext) -> None:
        super().__init__(context)
        self.mps = context.about(_MPS)
        self.devices = self.mps.get(Devices)

    def placed(self) -> Iterator[Finding]:
        """Every call that places float64 on such a device, or makes it there; none in a file that tests for MPS."""
        if any(map(_tests_for_mps, self.context.tree.root.nodes)):
            return  # it knows the limits of MPS
        for call, stmt in self.index.calls:
            device, what = self._of_call(call, stmt)
            kind = self._kind(device, stmt.scope) if device is not None else ""
            if device is not None and kind and not self._excused(call, stmt):
                doubt = premises.MPS_ON_A_MAC if kind == "accelerator" else None
                yield Finding(self.context.span(call), what, device=dotted(device), doubt=doubt)

    def _of_call(self, call: ast.Call, stmt: Stmt) -> tuple[ast.expr | None, str]:
        """The device on which a call places float64, and how that is written; (None, "") for any other call."""
        func, scope = call.func, stmt.scope
        given = {k.arg: k.value for k in call.keywords}
        name = self.tree.qualname(func, scope)
        if torch_model.is_factory(name) or (name or "").endswith("_like"):
            told = "dtype" in given and self._is_float64(given["dtype"], scope)
            from_numpy = name in _TAKES_NUMPY and "dtype" not in given and self._of_numpy(call, stmt)
            return (given.get("device"), self._short(call)) if told or from_numpy else (None, "")
        if not isinstance(func, ast.Attribute) or name is not None:
            return None, ""
        if func.attr == "to":
            return self._of_move(call, func.value, stmt)
        if func.attr == "double" and not call.args:
            return self._device_of(func.value, stmt), self._short(call)
        return None, ""

    def _of_move(self, call: ast.Call, moved: ast.expr, stmt: Stmt) -> tuple[ast.expr | None, str]:
        """`_of_call` of ``x.to(…)``: a move of float64, or a cast to it."""
        device, dtypes = self._to(call, stmt.scope)
        casts = bool(dtypes) and all(self._is_float64(d, stmt.scope) for d in dtypes)
        if device is not None:
            float64 = casts if dtypes else self._is_of_float64(moved, stmt)
            return (device, self._short(moved)) if float64 else (None, "")
        return (self._device_of(moved, stmt), self._short(call)) if casts and len(dtypes) == 1 else (None, "")

    def _to(self, call: ast.Call, scope: Scope) -> tuple[ast.expr | None, list[ast.expr]]:
        """The device among the arguments of ``.to(…)``, and those that are a dtype or may be one."""
        device, dtypes = None, []
        given = [
            *call.args,
            *(k.value for k in call.keywords if k.arg not in ("non_blocking", "copy", "memory_format")),
        ]
        for value in given:
            if device is None and self._kind(value, scope):
                device = value
            else:
                dtypes.append(value)
        return device, dtypes

    # --- values of type float64 -----------------------------------------------------------------

    def _is_float64(self, expr: ast.expr, scope: Scope) -> bool:
        return self.tree.qualname(expr, scope) in _FLOAT64

    def _is_of_float64(self, expr: ast.expr, stmt: Stmt, depth: int = 0) -> bool:
        """Whether a tensor or module is shown to be float64."""
        if depth > 4:
            return False
        if isinstance(expr, ast.Call):
            name = self.tree.qualname(expr.func, stmt.scope)
            given = {k.arg: k.value for k in expr.keywords}
            if name in ("torch.DoubleTensor",):
                return True
            if torch_model.is_factory(name):
                if "dtype" in given:
                    return self._is_float64(given["dtype"], stmt.scope)
                return name in _TAKES_NUMPY and self._of_numpy(expr, stmt)
            if name is None and isinstance(expr.func, ast.Attribute):
                if expr.func.attr == "double":
                    return not expr.args
                if expr.func.attr == "to":
                    return bool(expr.args) and self._is_float64(expr.args[-1], stmt.scope)
            return False
        text = dotted(expr)
        write = self._only_write(text, stmt) if text else None
        if write is None or write.value is None or self._cast_between(text, write.stmt, stmt):
            return False
        return self._is_of_float64(write.value, write.stmt, depth + 1) or self._doubled(text, write.stmt, stmt)

    def _of_numpy(self, call: ast.Call, stmt: Stmt) -> bool:
        """Whether an argument of a call is an array that numpy made as float64."""
        made, where = (call.args[0] if call.args else None), stmt
        text = dotted(made) if made is not None else ""
        write = self._only_write(text, stmt) if text else None
        if write is not None:
            made, where = write.value, write.stmt
        if not isinstance(made, ast.Call) or may_give(made, "dtype"):
            return False
        name = self.tree.qualname(made.func, where.scope)
        return name in _DRAWS or (name in _FILLS and len(made.args) == 1)

    def _only_write(self, text: str, stmt: Stmt) -> AttributeWrite | None:
        """The one assignment that gives a name its value on every path to a statement of the same scope."""
        root = text.partition(".")[0]
        writes = self.index.values(stmt.scope, text)
        if "." in text or len(writes) != 1 or len(stmt.scope.bindings.get(root, ())) != 1:
            return None
        return writes[0] if dominates(writes[0].stmt, stmt) else None

    def _on(self, text: str, first: Stmt, last: Stmt) -> Iterator[tuple[ast.Call, Stmt]]:
        """The methods that are called on a name between two statements, as far as their order is known."""
        for call, stmt in self.index.calls:
            if isinstance(call.func, ast.Attribute) and dotted(call.func.value) == text and stmt.scope is first.scope:
                if stmt is not first and stmt is not last and not dominates(last, stmt):
                    yield call, stmt

    def _doubled(self, text: str, first: Stmt, last: Stmt) -> bool:
        """Whether ``model.double()`` is between the two statements and changes a module in place; of a tensor it would return another one."""
        made = self._only_write(text, last)
        name = self.tree.qualname(made.value.func, first.scope) if made and isinstance(made.value, ast.Call) else None
        module = (name or "").startswith("torch.nn.") or (
            made is not None and isinstance(made.value, ast.Call) and dotted(made.value.func) in self.tree.root.classes
        )
        return module and any(
            call.func.attr == "double" and isinstance(stmt.node, ast.Expr) and dominates(stmt, last)  # type: ignore[attr-defined]
            for call, stmt in self._on(text, first, last)
        )

    def _cast_between(self, text: str, first: Stmt, last: Stmt) -> bool:
        return any(call.func.attr in _CASTS for call, _ in self._on(text, first, last))  # type: ignore[attr-defined]

    # --- devices that can be MPS -----------------------------------------------------------------

    def _device_of(self, expr: ast.expr, stmt: Stmt) -> ast.expr | None:
        """The device on which a tensor or module is placed by the very expression, or by the only one that gives a name its value."""
        text = dotted(expr)
        write = self._only_write(text, stmt) if text else None
        if write is not None and write.value is not None:
            expr, stmt = write.value, write.stmt
        if not isinstance(expr, ast.Call):
            return None
        if isinstance(expr.func, ast.Attribute) and expr.func.attr == "to":
            return self._to(expr, stmt.scope)[0]
        given = {k.arg: k.value for k in expr.keywords}
        return given.get("device") if torch_model.is_factory(self.tree.qualname(expr.func, stmt.scope)) else None

    def _kind(self, device: ast.expr, scope: Scope) -> str:
        """`mps` for a device that is MPS on some machine by the code that defines it, `accelerator` for one of torch.accelerator, else an empty string."""
        values = self._values(device, scope)
        meanings = [self.devices.meaning(value, where) for value, where in values]
        if not any(m is not None and m.is_cuda_or_conditional for m in meanings):
            return ""
        if any(_is_mps(part) for value, _ in values for part in walk(value)):
            return "mps"
        names = set().union(*(identifiers(value) for value, _ in values))
        return "accelerator" if any("accelerator" in name for name in names) else ""

    def _values(self, device: ast.expr, scope: Scope) -> list[tuple[ast.expr, Scope]]:
        """The expressions that a device is, or that its name is bound to."""
        if not isinstance(device, ast.Name):
            return [(device, scope)] if not isinstance(device, ast.Attribute) else []
        owner = scope.lookup(device.id)
        if owner is None:
            return []
        writes = self.index.values(owner, device.id)
        if len(writes) != len(owner.bindings.get(device.id, ())):
            return []  # a parameter, or bound in another way as well
        return [(w.value, owner) for w in writes if w.value is not None]

    def _excused(self, call: ast.Call, stmt: Stmt) -> bool:
        """Whether the code around may not run with MPS, or handles the error."""
        guard = self.mps.get(Cuda).guard(call, stmt)
        if guard is not None and not (guard.test is not None and guard.test.available and guard.positive):
            return True
        return bool(self.context.get(Refusals).fallback(stmt)) or self.mps.get(Intents).required(
            Site("call", call, stmt)
        )

    def _short(self, expr: ast.expr) -> str:
        """The text of an expression; empty where it is long."""
        text = self.context.text(expr)
        return text if len(text) <= 80 and "\n" not in text else ""


def _is_mps(node: ast.AST) -> bool:
    """Whether an expression is the name of an MPS device, or a collection with one."""
    if isinstance(node, (ast.Tuple, ast.List, ast.Set)):
        return any(map(_is_mps, node.elts))
    return (literal_text(node) or "").partition(":")[0] == "mps"


def _tests_for_mps(node: ast.AST) -> bool:
    """Whether an expression is a test for MPS: ``device.type == "mps"``, ``x.is_mps``, ``str(device).startswith("mps")``."""
    if isinstance(node, ast.Compare):
        return any(map(_is_mps, (node.left, *node.comparators)))
    if isinstance(node, ast.Call):
        return called_name(node) == "startswith" and any(map(_is_mps, node.args))
    return (isinstance(node, ast.Attribute) and node.attr == "is_mps") or is_name(node, "is_mps")
