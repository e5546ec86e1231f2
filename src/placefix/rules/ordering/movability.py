"""Order and movability: whether statements may move across others, and the reason if not.

A move is legal if the moved statements and those it crosses have no conflict: neither by name nor in the
abstract resources that the flow analysis recorded per statement (`Flow.touches`).
"""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from placefix import torch_model
from placefix.facts import reasons
from placefix.facts.interpret.interpreter_base import WORLD
from placefix.facts.naming import names_device_owner
from placefix.facts.program.arguments import receiver_name
from placefix.facts.program.ast_names import dotted
from placefix.facts.program.ast_walk import LOOPS, walk
from placefix.rules.ordering.side_effects import Effects

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from placefix.facts.interpret.flow import Flow
    from placefix.facts.interpret.values import Obj
    from placefix.facts.program.tree import Stmt
    from placefix.facts.wording import Reason
    from placefix.rules.ordering.side_effects import Effect

# Effects on a module that a placement must not cross, each with the reason.
_PLACE_CONFLICTS = {
    "params": reasons.CHANGES_PARAMETERS,
    "init": reasons.INITIALISES_MODULE,
    "call": reasons.RUNS_MODULE,
    "opaque": reasons.MODULE_TO_UNKNOWN_CODE,
    "place": reasons.PLACES_MODULE,
    "part placed": reasons.PLACES_PART,
    "copied": reasons.COPIES_MODULE,
    "taken": reasons.COMPUTES_WITH_PARAMETERS,
    "asked": reasons.READS_DEVICE,
}
_WORLD_CONFLICTS = {
    "fork": reasons.STARTS_PROCESSES,
    "env": reasons.CHOOSES_VISIBLE_GPUS,
    "memory": reasons.MEASURES_MEMORY,
}
# Effects on a module that must not be between the two ends of an optimizer's move.
_OPTIMIZER_CONFLICTS = {
    "params": reasons.CHANGES_PARAMETERS,
    "opaque": reasons.MODULE_TO_UNKNOWN_CODE,
}
_COPIES = frozenset(("save", "clone", "deepcopy", "numpy"))
_PURE_CALLS = frozenset(
    {"torch.device", "torch.cuda.is_available", "torch.cuda.device_count", "torch.accelerator.is_available"}
)
_PURE_NODES = (
    ast.Name, ast.Attribute, ast.Constant, ast.IfExp, ast.BoolOp, ast.UnaryOp, ast.Compare, ast.JoinedStr, ast.FormattedValue,
    ast.BinOp, ast.And, ast.Or, ast.Not, ast.USub, ast.Load, ast.cmpop, ast.operator, ast.keyword,
)  # fmt: skip


def asks_device(node: ast.stmt) -> bool:
    """Whether a statement reads the device of something other than the script's settings."""
    for part in walk(node):
        if isinstance(part, ast.Attribute) and torch_model.gives_place(part.attr):
            owner = part.value
            if not isinstance(owner, ast.Name) or not (owner.id == "torch" or names_device_owner(owner.id)):
                return True
    return False


def _keeps(node: ast.stmt) -> bool:
    """Whether a statement saves, copies or hands to numpy the values it reads from a module (`torch.save(net.state_dict(), path)`)."""
    calls = (part.func for part in walk(node) if isinstance(part, ast.Call))
    return any((f.attr if isinstance(f, ast.Attribute) else getattr(f, "id", "")) in _COPIES for f in calls)


class Order:
    """Movability questions over one file's flow."""

    def __init__(self, flow: Flow) -> None:
        self.flow = flow
        self.effects = Effects(flow.tree)
        self._touched: dict[Stmt, tuple[tuple[Obj, str], ...]] = {}

    def names(self, stmt: Stmt) -> Effect:
        """(read, written) dotted names of a statement, calls of the file's own functions included."""
        return self.effects.of(stmt)

    def touched(self, stmt: Stmt) -> tuple[tuple[Obj, str], ...]:
        """The objects and effects of a statement, those of nested statements included."""
        found = self._touched.get(stmt)
        if found is None:
            inner = (t for suite in stmt.suites for s in suite.stmts for t in self.touched(s))
            found = self._touched[stmt] = (*self.flow.touches.get(stmt, ()), *inner)
        return found

    def describe(self, stmt: Stmt, said: Callable[[Stmt], object] | None = None) -> str:
        """The line of a statement; of the innermost one in its blocks for which `said` is true as well."""
        inner: Stmt | None = stmt
        while inner is not None:
            stmt = inner
            inner = next((s for suite in stmt.suites for s in suite.stmts if said(s)), None) if said else None
        return self.flow.source.row_name(stmt.node.lineno)

    def where(self, stmt: Stmt, touch: tuple[Obj, str]) -> str:
        """The line in a statement's blocks with an effect on an object, as `touched` lists it."""
        return self.describe(stmt, lambda inner: touch in self.touched(inner))

    def why_leaves(self, stmt: Stmt, modules: Sequence[Obj] = (), *, gone: bool = False) -> Reason | None:
        """Why nothing may cross a statement that can leave its suite (see `leaves`), None if it cannot."""
        if not self.leaves(stmt, modules, gone=gone):
            return None
        inner = {s: bool(stmt.suites) and isinstance(stmt.node, LOOPS) for suite in stmt.suites for s in suite.stmts}
        line = self.describe(stmt)
        while inner:
            leaving = next(
                (s for s, looped in inner.items() if self.leaves(s, modules, gone=gone, looped=looped)), None
            )
            if leaving is None:
                break
            line = self.describe(leaving)
            looped = inner[leaving] or isinstance(leaving.node, LOOPS)
            inner = {s: looped for suite in leaving.suites for s in suite.stmts}
        return reasons.MAY_LEAVE_BLOCK(line=line)

    def leaves(self, stmt: Stmt, modules: Iterable[Obj] = (), *, gone: bool = False, looped: bool = False) -> bool:
        """Whether the statement can leave its suite: return, break, continue, exit, yield, raise.

        A raise that nothing in this scope catches, in the scope where the `modules` are made, ends
        the program or drops them: no code sees that they were placed. `gone`: the same holds for the statements that cross it.
        `looped`: break and continue lead no further than to a loop around it that is meant as well.
        """
        if isinstance(stmt.node, (ast.FunctionDef, ast.ClassDef, ast.AsyncFunctionDef)):
            return False
        loop = looped or isinstance(stmt.node, LOOPS)
        for part in walk(stmt.node):
            if isinstance(part, (ast.Return, ast.Yield, ast.YieldFrom, ast.Await)):
                return True
            if isinstance(part, ast.Raise) and not gone and not self._dropped(stmt, modules):
                return True
            if isinstance(part, (ast.Break, ast.Continue)) and not loop:
                return True
        return any(obj is WORLD and what == "exit" for obj, what in self.touched(stmt))

    def _dropped(self, stmt: Stmt, modules: Iterable[Obj]) -> bool:
        """Whether an exception at `stmt` takes the modules with it."""
        owners = [m.root() for m in modules]
        if not owners or any(isinstance(s.node, (ast.Try, ast.With)) for s in stmt.ancestors()):
            return False
        body = stmt.scope.node
        if isinstance(body, ast.Module):
            return True
        last = body.end_lineno or body.lineno
        return all(
            m.kind == "module"
            and not m.param
            and m.base is None
            and body.lineno < getattr(m.origin, "lineno", 0) <= last
            for m in owners
        )

    @staticmethod
    def _gone_if_raised(stmt: Stmt) -> bool:
        """Whether an exception discards everything that a statement binds: variables of a function, attributes in `__init__`."""
        scope, node = stmt.scope, stmt.node
        if not scope.is_function or any(isinstance(s.node, (ast.Try, ast.With)) for s in stmt.ancestors()):
            return False
        me = receiver_name(scope) if scope.name == "__init__" else ""
        for part in walk(node):
            if isinstance(part, ast.Name) and not isinstance(part.ctx, ast.Load) and scope.declares(part.id):
                return False
            if (
                isinstance(part, (ast.Attribute, ast.Subscript))
                and not isinstance(part.ctx, ast.Load)
                and not (isinstance(part, ast.Attribute) and me and dotted(part.value) == me)
            ):
                return False
        return isinstance(node, (ast.Assign, ast.AnnAssign))

    def prints(self, stmt: Stmt) -> bool:
        """Whether the statement writes output of which the order is seen."""
        return any(obj is WORLD and what == "io" for obj, what in self.touched(stmt))

    def related(self, obj: Obj, modules: Iterable[Obj]) -> bool:
        """Whether `obj` is one of the modules, a part of one, or holds one."""
        for module in modules:
            for one, two in ((obj, module), (module, obj)):
                current: Obj | None = one
                for _ in range(8):
                    if current is None:
                        break
                    current = current.root() if current.is_module else current
                    if current is two or any(a.root() is two for a in current.alts):
                        return True
                    current = current.base
        return False

    def why_place_cannot_cross(self, modules: Sequence[Obj], across: Stmt, *, ambient: bool) -> Reason | None:
        """Why a placement of `modules` may not move across a statement, None if it may.

        `ambient`: the placement reads the current CUDA device (an index-less cuda).
        """
        for touch in self.touched(across):
            obj, what = touch
            if obj is WORLD:
                if what == "cuda" and ambient:
                    return reasons.SETS_CURRENT_DEVICE(line=self.where(across, touch))
                if what in _WORLD_CONFLICTS:
                    return _WORLD_CONFLICTS[what](line=self.where(across, touch))
            elif what in _PLACE_CONFLICTS and self.related(obj, modules):
                return _PLACE_CONFLICTS[what](line=self.where(across, touch))
            elif what == "read" and self.related(obj, modules):
                if asks_device(across.node):
                    return reasons.READS_DEVICE(line=self.describe(across, lambda s: asks_device(s.node)))
                if _keeps(across.node):
                    line = self.describe(across, lambda s: _keeps(s.node))
                    return reasons.SAVES_TENSORS(line=line)
        return self.why_leaves(across, modules)

    def why_optimizer_cannot_cross(self, modules: Sequence[Obj], across: Stmt, moved: Iterable[Stmt]) -> Reason | None:
        """Why the construction of an optimizer over `modules`, the statements `moved`, may not move across a statement, None if it may."""
        for touch in self.touched(across):
            obj, what = touch
            if obj is WORLD:
                if what == "fork":
                    return _WORLD_CONFLICTS[what](line=self.where(across, touch))
            elif what in _OPTIMIZER_CONFLICTS and self.related(obj, modules):
                return _OPTIMIZER_CONFLICTS[what](line=self.where(across, touch))
        return self.why_leaves(across, modules, gone=all(map(self._gone_if_raised, moved)))

    def pure(self, expr: ast.expr, stmt: Stmt) -> bool:
        """Whether evaluating `expr` earlier gives the same value if its names do, and has no effect."""
        for part in walk(expr):
            if isinstance(part, ast.Call):
                name = self.flow.tree.qualname(part.func, stmt.scope)
                if (
                    name is None
                    and isinstance(part.func, ast.Name)
                    and part.func.id in ("str", "int", "bool", "len", "max", "min")
                ):
                    continue
                if name not in _PURE_CALLS and not (
                    isinstance(part.func, ast.Attribute) and part.func.attr == "format"
                ):
                    return False
            elif not isinstance(part, _PURE_NODES):
                return False
        return True

    def pure_definition(self, stmt: Stmt) -> str:
        """The name (or ``self.name``) a statement defines when it is a pure definition of one, else ""."""
        node = stmt.node
        if isinstance(node, ast.Assign) and len(node.targets) == 1 and self.pure(node.value, stmt):
            name = dotted(node.targets[0])
            if "." not in name or (name.startswith("self.") and name.count(".") == 1):
                return name
        return ""
