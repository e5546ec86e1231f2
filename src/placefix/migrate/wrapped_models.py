"""The models that DataParallel wraps: the wrap goes, and DistributedDataParallel follows the placement."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from placefix.diagnostic import Delete, Insert
from placefix.facts import torch_api as api
from placefix.facts.devices.device_selection import device_text
from placefix.facts.interpret.values import whole_of
from placefix.facts.program.assignments import assigned_text
from placefix.facts.program.ast_names import argument_values, dotted
from placefix.facts.program.ast_walk import walk
from placefix.facts.program.callees import chain_start
from placefix.facts.program.statement_forms import is_main_guard
from placefix.migrate import obstacles
from placefix.migrate.observations import Observations
from placefix.migrate.training_loops import TrainingLoops
from placefix.rules.tensors.tensor_moves import moved

if TYPE_CHECKING:
    from collections.abc import Iterator

    from placefix.facts.context import AnalysisContext
    from placefix.facts.interpret.values import Event, Obj
    from placefix.facts.program.tree import Scope, Stmt
    from placefix.migrate.plan import Plan

_OPTIONS = ("module", "device_ids", "output_device", "dim")


class WrappedModels:
    """The wraps of one file. always: whether the wrapped model has a wrapper on every path."""

    def __init__(self, context: AnalysisContext) -> None:
        self.context = context
        self.seen = context.get(Observations)
        self.events: dict[ast.expr, Event] = {}
        for event in self.seen.index.of_kind("wrap"):
            if event.what == api.DATA_PARALLEL:
                self.events.setdefault(event.node, event)

    @property
    def always(self) -> bool:
        """Whether every wrap runs whenever its function does."""
        owners = (event.stmt.suite.owner for event in self.events.values())
        plain = all(owner is None or is_main_guard(owner) for owner in owners)
        return plain and not any(
            isinstance(getattr(e.stmt.node, "value", None), ast.IfExp) for e in self.events.values()
        )

    def plan(self, plan: Plan, *, synchronised: bool) -> None:
        """Move the wraps. synchronised: convert the layers of batch normalisation."""
        if not self.events:
            plan.stop(None, obstacles.NOTHING_WRAPPED())
            return
        handled: set[ast.expr] = set()
        for event in self.events.values():
            self._move(event, plan, synchronised=synchronised)
            assert isinstance(event.node, ast.Call)
            handled.add(event.node.func)
        self._rename_tests(plan, handled)
        for event in self.seen.index.of_kind("call"):
            if event.obj.is_wrapper:
                self._place_inputs(event, plan)
        self._require_layers_used(plan)
        self._require_synchronised(plan)

    def _move(self, event: Event, plan: Plan, *, synchronised: bool) -> None:
        call, stmt = event.node, event.stmt
        assert isinstance(call, ast.Call)
        given = dict(zip(_OPTIONS, call.args, strict=False))
        given.update({k.arg: k.value for k in call.keywords if k.arg is not None})
        unknown = [name for name in given if name not in _OPTIONS] + ["dim"] * ("dim" in given)
        name = assigned_text(stmt.node)
        if unknown or "module" not in given:
            plan.stop(call, obstacles.WRAP_OPTION(option=unknown[0] if unknown else "*"))
        elif (
            not name
            or not isinstance(stmt.node, ast.Assign)
            or not self._is_whole(stmt.node.value, call, given["module"])
        ):
            plan.stop(call, obstacles.WRAP_WITHOUT_NAME())
        else:
            place = self._outermost(stmt, plan)
            last = self._last_placement(event, place, plan) if place is not None else None
            if place is not None and last is not None:
                self._write(event, given["module"], name, last, plan, synchronised=synchronised)

    def _is_whole(self, value: ast.expr, call: ast.Call, module: ast.expr) -> bool:
        """Whether a value is the wrapper, moved or not, or else the module: ``DataParallel(net) if count > 1 else net``."""
        if isinstance(value, ast.IfExp):
            arms = {ast.unparse(arm) for arm in (value.body, value.orelse) if arm is not call}
            return call in (value.body, value.orelse) and arms == {ast.unparse(module)}
        return chain_start(value) is call

    def _outermost(self, stmt: Stmt, plan: Plan) -> Stmt | None:
        """The statement of the function's own suite around a wrap, if there are only tests between; of the main guard's suite."""
        outer = stmt
        while outer.suite.owner is not None and not is_main_guard(outer.suite.owner):
            outer = outer.suite.owner
            if not isinstance(outer.node, ast.If):
                plan.stop(stmt, obstacles.WRAP_IN_LOOP())
                return None
        return outer

    def _last_placement(self, event: Event, place: Stmt, plan: Plan) -> Stmt | None:
        """The statement after which the model can be wrapped: on the device, and before its first use. None with an obstacle."""
        root, last, placed = event.obj.root(), place, event.place is not None and event.place.has_device
        for other in self.seen.index.of_root("place", root):
            here = next((f.stmt for f in other.stack if f.stmt.scope is place.scope), None)
            lifted = _lifted(here, place) if here is not None else None
            if lifted is None:
                continue
            placed = True
            if lifted.index > last.index and self._is_before_use(root, lifted):
                last = lifted
        if not placed:
            plan.stop(event.node, obstacles.NOT_PLACED())
            return None
        for use in self.seen.index.of_root("call", root):
            first = next((f.stmt for f in use.stack if f.stmt.scope is place.scope), None)
            lifted = _lifted(first, place) if first is not None else None
            if lifted is not None and place.index <= lifted.index <= last.index:
                plan.stop(event.node, obstacles.USED_BEFORE_WRAP(line=self.context.source.row_name(use.node.lineno)))
                return None
        return last

    def _is_before_use(self, root: Obj, placement: Stmt) -> bool:
        """Whether a placement in the suite of the wrap comes before every run of the model."""
        uses = [f.stmt for e in self.seen.index.of_root("call", root) for f in e.stack]
        lifted = [_lifted(use, placement) for use in uses if use.scope is placement.scope]
        return all(use is None or use.index > placement.index for use in lifted)

    def _write(self, event: Event, module: ast.expr, name: str, last: Stmt, plan: Plan, *, synchronised: bool) -> None:
        """Take the wrap off, and put the new one behind the placement."""
        call, stmt = event.node, event.stmt
        assert isinstance(stmt.node, ast.Assign)
        text = self.context.text(module)
        owner = stmt.suite.owner
        if isinstance(stmt.node.value, ast.IfExp):
            plan.replace(stmt.node.value, text)
        elif stmt.node.value is not call or text != name:
            plan.replace(call, text)
        elif owner is None or is_main_guard(owner) or not all(map(self._goes, stmt.suite.stmts)):
            plan.edits.append(Delete((self.context.span(stmt),)))
        elif isinstance(owner.node, ast.If) and not owner.node.orelse and len(owner.suite.stmts) > 1:
            if Delete((self.context.span(owner),)) not in plan.edits:
                plan.edits.append(Delete((self.context.span(owner),)))
        else:
            plan.stop(stmt, obstacles.WRAP_ALONE_IN_IF())
            return
        lines = ["if distributed:"]
        if synchronised:
            lines += [
                "    if torch.cuda.is_available():",
                f"        {name} = torch.nn.SyncBatchNorm.convert_sync_batchnorm({name})",
            ]
        lines.append(f"    {name} = DistributedDataParallel({name})")
        plan.imports["from torch.nn.parallel import DistributedDataParallel"] = None
        plan.edits.append(Insert(self.context.span(last), "\n".join(lines), "after"))

    def _goes(self, stmt: Stmt) -> bool:
        """Whether a statement only wraps a model, under the name that it has."""
        calls = [event.node for event in self.events.values() if event.stmt is stmt]
        value = getattr(stmt.node, "value", None)
        whole = [call for call in calls if call is value and isinstance(call, ast.Call) and call.args]
        return any(isinstance(call, ast.Call) and dotted(call.args[0]) == assigned_text(stmt.node) for call in whole)

    def _rename_tests(self, plan: Plan, handled: set[ast.expr]) -> None:
        """`isinstance(model, nn.DataParallel)` tests for the new wrapper; all other uses are obstacles."""
        for call, _ in self.context.index.called("isinstance"):
            for part in walk(call.args[1]) if len(call.args) == 2 else ():
                if isinstance(part, (ast.Name, ast.Attribute)) and self._is_wrapper(part):
                    plan.replace(part, "DistributedDataParallel")
                    plan.imports["from torch.nn.parallel import DistributedDataParallel"] = None
                    handled.add(part)
        for node in self.context.tree.root.nodes:
            if isinstance(node, (ast.Name, ast.Attribute)) and node not in handled and self._is_wrapper(node):
                plan.stop(node, obstacles.OTHER_USE())

    def _is_wrapper(self, node: ast.Name | ast.Attribute) -> bool:
        return self.context.tree.qualname(node, self.context.tree.root) == api.DATA_PARALLEL

    def _place_inputs(self, call: Event, plan: Plan) -> None:
        """Move the inputs of a call that are on the host: DataParallel did, DistributedDataParallel does not."""
        if not isinstance(call.node, ast.Call):
            return
        for node in argument_values(call.node):
            for sighting in self.seen.of(node):
                value, place = sighting.value, sighting.place
                if value.kind in ("const", "flag", "dtype") or (value.is_tensor_like and place.has_device):
                    continue
                device = device_text(self.context, call.stmt)
                name = self.context.text(node)
                if not (value.is_tensor_like and place.is_host and device):
                    plan.stop(node, obstacles.INPUT_NOT_PLACED(name=name))
                    break
                edit = moved(self.context.source, node, device)
                if edit.span == self.context.span(node):
                    plan.replace(node, edit.text)
                break

    def _require_synchronised(self, plan: Plan) -> None:
        """Note parameters that are trained without the wrapper, and so by the data of one process only."""
        roots = {event.obj.root() for event in self.events.values()}
        for made in self.seen.index.of_kind("optimizer"):
            modules = {_model_of(member) for member in made.obj.members}
            if not modules or not modules <= roots:
                plan.stop(made.node, obstacles.TRAINED_UNWRAPPED())
        loops = self.context.get(TrainingLoops)
        for call in self.seen.index.of_kind("call"):
            bare = not call.obj.is_wrapper and _model_of(call.obj) in roots
            if bare and any(loop.stmt.holds(frame.stmt) for loop in loops.all for frame in call.stack):
                outer = call.stack[-1].stmt.scope
                if not self._is_in_model(outer):
                    plan.stop(call.node, obstacles.RUN_UNWRAPPED())

    def _is_in_model(self, scope: Scope | None) -> bool:
        """Whether code is that of a module, which its wrapper runs."""
        while scope is not None:
            if scope.is_class and self.seen.class_info(scope).is_module:
                return True
            scope = scope.parent
        return False

    def _require_layers_used(self, plan: Plan) -> None:
        """Note the layers of the models of this file that a step may leave out."""
        made = (event.obj.cls for event in self.seen.index.of_kind("module"))
        for info in dict.fromkeys(info for info in made if info is not None and info.scope.tree is self.context.tree):
            forward = info.methods.get("forward")
            if forward is None or forward.tree is not self.context.tree:
                continue
            text = self.context.tree.text(info.scope)
            for name in info.layers:
                reads = [r for r in self._reads(f"self.{name}", info.scope) if r.scope.name != "__init__"]
                if not reads and f"self.{name}" not in text.replace(f"self.{name} =", ""):
                    plan.stop(info.scope.node, obstacles.LAYER_UNUSED(name=name))
                elif reads and all(
                    r.suite.owner is not None and self._may_skip(r) for r in reads if r.scope is forward
                ):
                    if all(r.scope is forward for r in reads):
                        plan.stop(reads[0], obstacles.BRANCHES_IN_FORWARD(name=name))

    def _reads(self, text: str, owner: object) -> Iterator[Stmt]:
        for stmt in self.context.tree.stmts.values():
            if stmt.scope.parent is owner and not stmt.suites:
                parts = walk(stmt.node)
                if any(
                    isinstance(p, ast.Attribute) and isinstance(p.ctx, ast.Load) and dotted(p) == text for p in parts
                ):
                    yield stmt

    @staticmethod
    def _may_skip(stmt: Stmt) -> bool:
        return any(isinstance(outer.node, (ast.If, ast.Try, ast.While)) for outer in stmt.ancestors())


def _model_of(value: Obj) -> Obj:
    """The model that a module or parameter is a part of."""
    whole = whole_of(value) or value
    while whole.is_module and whole.base is not None:
        whole = whole.base.root()
    return whole


def _lifted(stmt: Stmt, beside: Stmt) -> Stmt | None:
    """The statement of the suite of `beside` that holds a statement; None if none does."""
    return next((outer for outer in stmt.ancestors() if outer.suite is beside.suite), None)
