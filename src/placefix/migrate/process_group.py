"""The process group of a migrated script: its start, its end and the names of the process."""

from __future__ import annotations

import ast
from functools import cached_property
from typing import TYPE_CHECKING

from placefix.diagnostic import Insert
from placefix.facts.context import FileAnalysis, requires
from placefix.facts.devices.device_selection import Devices
from placefix.facts.devices.torch_imports import TorchImports
from placefix.facts.program.ast_names import ends_process
from placefix.facts.program.ast_walk import walk
from placefix.facts.program.statement_forms import is_main_guard
from placefix.migrate import obstacles
from placefix.migrate.observations import Observations

if TYPE_CHECKING:
    from placefix.diagnostic import Side
    from placefix.facts.program.device_values import Device
    from placefix.facts.program.tree import Stmt
    from placefix.migrate.plan import Plan

_NAMES = ("rank", "local_rank", "world_size", "distributed", "dist")
_VALUES = """\
# torchrun starts one process for each GPU and sets these variables. Without them the script is one process.
distributed = "RANK" in os.environ
rank = int(os.environ.get("RANK", 0))
local_rank = int(os.environ.get("LOCAL_RANK", 0))
world_size = int(os.environ.get("WORLD_SIZE", 1))"""
_START = """\
if distributed:
    if torch.cuda.is_available():
        torch.cuda.set_device(local_rank)
    dist.init_process_group({backend})"""
# Since torch 2.0 the group has a backend for each type of device.
_BACKENDS_SINCE = (2, 0)
_BACKEND = '"nccl" if torch.cuda.is_available() else "gloo"'
_END = """\
if distributed:
    dist.destroy_process_group()"""
_HELPERS = {
    "mean_of_processes": '''\
def mean_of_processes(value):
    """The mean of a tensor over all processes."""
    return sum_of_processes(value) / world_size''',
    "sum_of_processes": '''\
def sum_of_processes(value):
    """The sum of a tensor over all processes."""
    value = value.detach().clone()
    if distributed:
        dist.all_reduce(value)
    return value''',
    "unwrapped": '''\
def unwrapped(model):
    """The model without its wrapper."""
    return model.module if isinstance(model, DistributedDataParallel) else model''',
    "weights_of": '''\
def weights_of(model):
    """The weights under the names that DataParallel gave them, with the prefix "module."."""
    state = unwrapped(model).state_dict()
    return {f"module.{name}": value for name, value in state.items()}''',
    "load_weights": '''\
def load_weights(model, state, **options):
    """Load weights, with the prefix "module." in their names or without."""
    state = {
        name[7:] if name.startswith("module.") else name: value
        for name, value in state.items()
    }
    return unwrapped(model).load_state_dict(state, **options)''',
}
_NEEDS = {"mean_of_processes": "sum_of_processes", "weights_of": "unwrapped", "load_weights": "unwrapped"}
# Modules and names by which a script starts processes, or has done the work already.
_DISTRIBUTED = (
    "torch.distributed",
    "torch.nn.parallel.DistributedDataParallel",
    "torch.multiprocessing.spawn",
    "horovod",
)


class ProcessGroup(FileAnalysis):
    """The process group of one file."""

    seen = requires(Observations)

    @cached_property
    def guard(self) -> Stmt | None:
        """The main guard, None without one."""
        return next((stmt for stmt in self.tree.root.body.stmts if is_main_guard(stmt)), None)

    def plan(self, plan: Plan) -> None:
        """Start the process group before anything else runs, and end it after that."""
        self._stop(plan)
        last = self.context.get(TorchImports).last
        if last is None:
            plan.stop(None, obstacles.NO_IMPORTS())
            return
        entry = self.guard.suites[0].stmts if self.guard is not None else self.tree.root.body.stmts
        for name in [name for name in _NEEDS if name in plan.helpers]:
            plan.helpers[_NEEDS[name]] = None
        head = [*self._imports(plan), "", _VALUES]
        spaced = [part for name, text in _HELPERS.items() if name in plan.helpers for part in ("\n", text)]
        start = self._start_anchor(last, plan)
        several = self.context.settings.target_torch >= _BACKENDS_SINCE
        begin = _START.format(backend="" if several else _BACKEND)
        if self.guard is not None:
            plan.edits.append(Insert(self.context.span(entry[0]), begin))
        elif start is last:
            spaced += ["\n" if spaced else "", begin]
        else:
            plan.edits.append(Insert(self.context.span(start), begin, "after"))
        plan.edits.insert(0, Insert(self.context.span(last), "\n".join([*head, *spaced]) + "\n", "after"))
        final = entry[-1]
        where: Side = "before" if ends_process(final.node) else "after"
        if where == "before" and any(isinstance(part, ast.Call) for arg in final.node.value.args for part in walk(arg)):  # type: ignore[attr-defined]
            return  # it runs the program and ends the process; torch ends the group
        plan.edits.append(Insert(self.context.span(final), _END, where))

    def _start_anchor(self, last: Stmt, plan: Plan) -> Stmt:
        """The statement below which the group is started: the last import, or the choice of the visible GPUs."""
        late = [stmt for stmt in self.context.get(Devices).env_writes if stmt.number > last.number]
        if not late:
            return last
        stmt = late[-1]
        if stmt.suite is last.suite and self.guard is None and not self._runs_between(last, stmt):
            return stmt
        plan.stop(stmt, obstacles.VISIBLE_GPUS())
        return last

    def _runs_between(self, first: Stmt, last: Stmt) -> bool:
        """Whether a module, a tensor or a loader is used between two statements of the module level."""
        return any(first.number < event.stack[0].stmt.number < last.number for event in self.seen.events if event.stack)

    def _imports(self, plan: Plan) -> list[str]:
        names = self.tree.root.imports
        lines = [] if names.get("os") == {"os"} else ["import os"]
        if names.get("torch") != {"torch"}:
            lines.append("import torch")
        lines.append("import torch.distributed as dist")
        return [*lines, *sorted(plan.imports)]

    def _stop(self, plan: Plan) -> None:
        """Note why the script can have no process group."""
        if self.tree.framework:
            plan.stop(None, obstacles.FRAMEWORK(name=self.tree.framework))
        for name in sorted(self.tree.imported):
            if name.startswith(_DISTRIBUTED) and not name.startswith("torch.distributed.optim"):
                plan.stop(None, obstacles.DISTRIBUTED(name=name))
        for node in self.context.tree.root.nodes:
            if isinstance(node, ast.Attribute):
                name = self.tree.qualname(node, self.tree.root) or ""
                if name.startswith(_DISTRIBUTED):
                    plan.stop(node, obstacles.STARTS_PROCESSES())
        for name in (*_NAMES, *plan.helpers):
            for scope in self.tree.scopes.values():
                if name in scope.bindings:
                    plan.stop(scope.bindings[name][0], obstacles.NAME_IN_USE(name=name))
        self._stop_early_code(plan)
        self._stop_other_devices(plan)

    def _stop_early_code(self, plan: Plan) -> None:
        """Note code of the module level that uses a device before the main guard."""
        if self.guard is None:
            return
        for event in self.seen.events:
            if event.kind in ("place", "wrap", "call", "iterate", "optimizer") and event.stack:
                first = event.stack[0].stmt
                if first.scope.is_root and not self.guard.holds(first):
                    plan.stop(event.node, obstacles.BEFORE_START())

    def _stop_other_devices(self, plan: Plan) -> None:
        """Let ``"cuda:0"`` be the GPU of the process; other numbers are obstacles."""
        for node in self.context.tree.root.nodes:
            if isinstance(node, ast.Constant) and node.value == "cuda:0":
                plan.replace(node, 'f"cuda:{local_rank}"')
        for call, _, name in self.context.index.named:
            if name == "torch.cuda.set_device":
                plan.stop(call, obstacles.ANOTHER_DEVICE(device=self.context.text(call.args[0]) if call.args else ""))
        for event in self.seen.index.of_kind("place"):
            device = event.place.device if event.place is not None else None
            if device is not None and (device.has_number or device.index is not None) and not self._is_first(device):
                plan.stop(event.node, obstacles.ANOTHER_DEVICE(device=device.text or self.context.text(event.node)))

    def _is_first(self, device: Device) -> bool:
        """Whether a device is the first GPU by the words "cuda:0", which become the GPU of the process."""
        if device.index != 0:
            return False
        nodes = walk(device.origin) if device.origin is not None else []
        return any(isinstance(node, ast.Constant) and node.value == "cuda:0" for node in nodes)
