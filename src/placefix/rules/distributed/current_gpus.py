"""Distributed runs in which nothing selects the GPU of a process."""

from __future__ import annotations

import ast
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

from placefix.facts import premises
from placefix.facts import torch_api as api
from placefix.facts.context import FileAnalysis
from placefix.facts.finding import Finding
from placefix.facts.interpret.flow import Flow
from placefix.facts.program.expression_index import Index
from placefix.rules.distributed.ranks import Ranks
from placefix.rules.ordering.process_groups import ProcessGroups
from placefix.rules.ordering.wraps import Wraps, device_ids, only_device_id

if TYPE_CHECKING:
    from collections.abc import Iterator

    from placefix.facts.interpret.values import Event
    from placefix.facts.program.tree import Stmt, Tree

# Functions that select the current GPU of the process, or of a block, by their first argument.
_SELECT = frozenset(
    ("torch.cuda.set_device", "torch.cuda.device", "torch.accelerator.set_device_index", "torch.accelerator.set_device_idx",
     "torch.accelerator.device_index")
)  # fmt: skip
# Files of the repository that are read for such calls, and for the variable of visible GPUs.
_MAY_SELECT = r"\bset_device|VISIBLE_DEVICES|\bcuda\.device\(|\bdevice_id\b|\bdevice_index\b"


class Unselected(NamedTuple):
    """A module on the first GPU in every process. given: the device id of its wrap, "" without one."""

    finding: Finding
    given: str


class CurrentGpus(FileAnalysis):
    """PF111 for one file."""

    def unselected(self) -> Iterator[Unselected]:
        """The DDP wraps of modules on the current GPU, in a process group of NCCL, where no code of the repository selects that GPU."""
        seen = set()
        groups, ranks = self.context.get(ProcessGroups), self.context.get(Ranks)
        for event in self.context.get(Flow).index.of_kind("wrap"):
            if event.what != api.DDP or event.node in seen or not _is_on_current_gpu(event):
                continue
            seen.add(event.node)
            if not self.context.get(Wraps).only_nccl or groups.started(event) is None or self._selects:
                continue
            number = only_device_id(event)
            found = Finding(self.context.span(event.node))
            if number is not None and ranks.number(number, event.stmt.scope) is not None:
                yield Unselected(found, self.context.text(number))
            elif device_ids(event) is None:
                yield Unselected(found._replace(doubt=premises.LAUNCHER_MAY_SELECT_GPU), "")

    @cached_property
    def _selects(self) -> bool:
        """Whether code of this file, or of one that may run with it, selects the current GPU."""
        home = self.context.home
        if _selects(self.context.tree, self.context.index):
            return True
        if home is None:
            return False
        trees = (home.project.tree(path) for path in home.sharing(_MAY_SELECT))
        return any(tree is None or _selects(tree, Index(tree)) for tree in trees)


def _selects(tree: Tree, index: Index) -> bool:
    """Whether code of a file selects a GPU by a value that may differ between processes: a number that is written down is the same in all."""
    for call, stmt in index.calls:
        name = tree.qualname(call.func, stmt.scope)
        chosen = [k.value for k in call.keywords if k.arg in ("device", "device_id")]
        if name in _SELECT:
            chosen += call.args[:1]
        elif name is None or not name.startswith("torch.distributed."):
            chosen = [
                arg for arg in call.args if _is_of_visible(arg)
            ]  # os.environ.setdefault("CUDA_VISIBLE_DEVICES", …)
        if any(not _is_written_down(one, stmt, index) for one in chosen):
            return True
    for stmt in tree.stmts.values():
        targets = stmt.node.targets if isinstance(stmt.node, ast.Assign) else ()
        if any(isinstance(target, ast.Subscript) and _is_of_visible(target.slice) for target in targets):
            if not isinstance(stmt.node, ast.Assign) or not isinstance(stmt.node.value, ast.Constant):
                return True
    return False


def _is_of_visible(key: ast.expr) -> bool:
    """Whether an expression is the name of the variable of visible GPUs, or a dict that may have it."""
    if isinstance(key, ast.Dict):
        return any(one is None or _is_of_visible(one) for one in key.keys)
    return isinstance(key, ast.Constant) and isinstance(key.value, str) and key.value.endswith("VISIBLE_DEVICES")


def _is_written_down(value: ast.expr, stmt: Stmt, index: Index) -> bool:
    """Whether a value is a literal, also by a name: a GPU that is the same in all processes."""
    if isinstance(value, ast.Name):
        owner = stmt.scope.lookup(value.id)
        known = index.only_value(owner, value.id) if owner is not None else None
        return known is not None and isinstance(known, ast.Constant)
    if isinstance(value, ast.Call):
        return bool(value.args) and all(isinstance(arg, ast.Constant) for arg in value.args)
    return isinstance(value, ast.Constant) and not _is_of_visible(value)


def _is_on_current_gpu(wrap: Event) -> bool:
    """Whether a wrapped module is on the current GPU of its process, wherever there is one."""
    device = wrap.place.device if wrap.place is not None and wrap.place.is_device else None
    return device is not None and device.kind in ("cuda", "available") and device.index is None
