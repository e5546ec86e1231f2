"""The data, parameters and communication of a process of a group, so that its run can be compared with those of the others."""

from __future__ import annotations

import ctypes
import hashlib
import os
import sys
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

from placefix.simulate.failures import script_frame
from placefix.simulate.rank_positions import PositionWriter
from placefix.simulate.step_watcher import parameters_of, root_modules

if TYPE_CHECKING:
    from placefix.simulate.request import Request

_BATCHES = 16  # of each loop that are compared
_PASSES = 16  # of each loop that are compared
_DEPTH = 4  # of the containers in a batch
_BETWEEN_TWO = ("send", "recv", "recv_anysource", "alltoall", "alltoall_base", "all_to_all_single", "scatter")
_BY_ALL = (
    "allreduce", "allreduce_coalesced", "broadcast", "reduce", "gather", "allgather", "_allgather_base",
    "all_gather_single", "reduce_scatter", "_reduce_scatter_base", "reduce_scatter_single",
)  # fmt: skip


class RankWatch:
    """Records the data and parameters of this process from the time that it joins a process group."""

    def __init__(self, request: Request) -> None:
        self._request = request
        self._positions: PositionWriter | None = None
        self._counts = {"joined": 0, "batches": 0, "steps": 0}
        self._loops: dict[tuple[str, int], dict[str, Any]] = {}
        self._last_loop: dict[str, Any] | None = None
        self._last_pass: dict[str, Any] = {"steps": 0}
        self._optimizers: dict[int, dict[str, Any]] = {}
        self._group: dict[str, Any] = {}
        self._talk = {"between_two": False, "in_subgroups": False, "largest": 0}

    def install(self) -> None:
        """Watch this process once it joins a process group; if a launcher started it, its position from now on."""
        import torch.distributed as dist

        if not dist.is_available():
            return
        ranks = int(os.environ.get("WORLD_SIZE") or 1)
        if "RANK" in os.environ and ranks > 1:
            self._positions = PositionWriter(self._request, int(os.environ["RANK"]), ranks, self._counts)
        from torch.distributed import distributed_c10d

        join = distributed_c10d.init_process_group

        def init_process_group(*arguments: Any, **options: Any) -> Any:
            """Replaces torch's function: watches the process from then on."""
            result = join(*arguments, **options)
            self._begin(dist.get_rank(), dist.get_world_size())
            return result

        distributed_c10d.init_process_group = dist.init_process_group = init_process_group

    def _begin(self, rank: int, ranks: int) -> None:
        is_first = not self._group
        self._group = {"rank": rank, "ranks": ranks}
        self._counts["joined"] = 1
        if ranks > 1 and is_first:
            if self._positions is None:
                self._positions = PositionWriter(self._request, rank, ranks, self._counts)
            self._watch_loaders()
            self._watch_communication()

    def report(self) -> dict[str, Any]:
        """The record as plain data; empty if the process was alone."""
        if self._group.get("ranks", 1) < 2:
            return {}
        return {**self._group, **self._talk, "loops": list(self._loops.values()),
                "optimizers": list(self._optimizers.values())}  # fmt: skip

    # Data

    def _watch_loaders(self) -> None:
        from torch.utils.data import dataloader

        kind = dataloader._BaseDataLoaderIter
        make, advance = kind.__init__, kind.__next__

        def make_iterator(iterator: Any, loader: Any) -> None:
            """Replaces __init__: keeps the loader, and how its sampler divides and orders the data."""
            make(iterator, loader)
            iterator.placefix_loader, iterator.placefix_pass = loader, _new_pass(loader)

        def next_batch(iterator: Any) -> Any:
            """Replaces __next__: records the batch."""
            batch = advance(iterator)
            self._note_batch(iterator.placefix_loader, iterator.placefix_pass, batch, sys._getframe(1))
            return batch

        kind.__init__, kind.__next__ = make_iterator, next_batch

    def _note_batch(self, loader: Any, one: dict[str, Any], batch: Any, frame: Any) -> None:
        from torch.utils.data import IterableDataset

        place = script_frame(frame, self._request)
        if place is None:
            return
        loop = self._loops.setdefault((place["file"], place["line"]), {
            "where": place, "batches": [], "steps": 0, "passes": [],
            "streams": isinstance(loader.dataset, IterableDataset),
        })  # fmt: skip
        self._counts["batches"] += 1
        if len(loop["batches"]) < _BATCHES:
            loop["batches"].append(_digest(_tensors_in(batch, _DEPTH)))
        if not any(known is one for known in loop["passes"]) and len(loop["passes"]) < _PASSES:
            loop["passes"].append(one)
        self._last_loop, self._last_pass = loop, one

    # Parameters

    def before_step(self, optimizer: Any) -> None:
        """Record the parameters and gradients before the first step of an optimizer."""
        if not self._group or id(optimizer) in self._optimizers:
            return
        owners = _owners()
        self._optimizers[id(optimizer)] = {
            "type": type(optimizer).__name__,
            "where": script_frame(sys._getframe(1), self._request),
            "parameters": [
                {"before": _digest([parameter]), "gradient": _gradient_digest(parameter), "size": parameter.numel()}
                | owners.get(id(parameter), {"name": f"parameter {number}", "owner": ""})
                for number, parameter in enumerate(parameters_of(optimizer))
            ],
        }

    def after_step(self, optimizer: Any) -> None:
        """Record the parameters after the first step of an optimizer."""
        self._counts["steps"] += 1
        if self._last_loop is not None:
            self._last_loop["steps"] += 1
            self._last_pass["steps"] += 1
        rows = self._optimizers.get(id(optimizer), {}).get("parameters", [])
        if rows and "after" not in rows[0]:
            for row, parameter in zip(rows, parameters_of(optimizer), strict=False):
                row["after"] = _digest([parameter])

    # Communication

    def _watch_communication(self) -> None:
        from torch._C import _distributed_c10d as c10d_bindings

        for name in (*_BETWEEN_TWO, *_BY_ALL):
            original = getattr(c10d_bindings.ProcessGroup, name, None)
            if original is not None:
                setattr(c10d_bindings.ProcessGroup, name, self._noting(name, original))

    def _noting(self, name: str, original: Any) -> Any:
        def call(group: Any, *arguments: Any, **options: Any) -> Any:
            """Runs the method of the process group, and notes that it was called."""
            self._talk["between_two"] |= name in _BETWEEN_TWO
            self._talk["in_subgroups"] |= 1 < group.size() < self._group["ranks"]
            sizes = [tensor.numel() for tensor in _tensors_in([*arguments, *options.values()], 3)]
            self._talk["largest"] = max([self._talk["largest"], *sizes])
            if self._positions is not None:
                self._positions.write()  # it may be the last call of this process
            return original(group, *arguments, **options)

        return call


def _new_pass(loader: Any) -> dict[str, Any]:
    """A pass through a loader: its optimizer steps so far. "parts": the number of ranks among which a DistributedSampler divides the data;
    "order": the numbers from which it draws their order, empty if it does not shuffle."""
    from torch.utils.data import DistributedSampler

    sampler = getattr(loader, "sampler", None)
    if not isinstance(sampler, DistributedSampler):
        sampler = getattr(getattr(loader, "batch_sampler", None), "sampler", None)
    if not isinstance(sampler, DistributedSampler):
        return {"steps": 0, "parts": 1, "order": []}
    is_ordered = type(sampler) is DistributedSampler and sampler.shuffle and len(sampler) > 1
    order = [id(sampler), sampler.seed, sampler.epoch] if is_ordered else []
    return {"steps": 0, "parts": sampler.num_replicas, "order": order}


def _owners() -> dict[int, dict[str, Any]]:
    """The name of each parameter, and the kind of module that it is part of, by its identity.

    "owner" is "DistributedDataParallel" where its gradient is reduced, among "group"; "beside" where it is part of such a module
    and its gradient is not; "sharded" where each rank has a part of it; else empty.
    """
    import torch.distributed as dist
    from torch.nn.parallel import DistributedDataParallel

    found: dict[int, dict[str, Any]] = {}
    for root in root_modules():
        for name, parameter in root.named_parameters():
            found.setdefault(id(parameter), {"name": name.removeprefix("module."), "owner": ""})
        for path, module in root.named_modules():
            kind = type(module).__name__
            is_sharded = "FullyShardedDataParallel" in kind or "FSDP" in kind
            if not is_sharded and not isinstance(module, DistributedDataParallel):
                continue
            ignored = getattr(module, "parameters_to_ignore", ())
            reduced = {id(parameter) for parameter in getattr(module, "_module_parameters", ())}
            group = [] if is_sharded else dist.get_process_group_ranks(module.process_group)
            for name, parameter in module.named_parameters():
                owner = "DistributedDataParallel" if id(parameter) in reduced else "beside"
                if is_sharded or name.removeprefix("module.") in ignored:
                    owner = "sharded"
                row = found.setdefault(id(parameter), {"name": f"{path}.{name}"})
                row.update(owner=owner, group=group)
    return found


def _tensors_in(value: Any, depth: int) -> Iterable[Any]:
    """The tensors in a value and its containers."""
    import torch

    if isinstance(value, torch.Tensor):
        yield value
    elif depth and isinstance(value, Mapping):
        for item in value.values():
            yield from _tensors_in(item, depth - 1)
    elif depth and isinstance(value, (list, tuple)):
        for item in value:
            yield from _tensors_in(item, depth - 1)


def _gradient_digest(parameter: Any) -> str:
    """A digest of the gradient; empty if there is none, or only zeros."""
    gradient = parameter.grad
    return _digest([gradient]) if gradient is not None and bool(gradient.detach().cpu().any()) else ""


def _digest(tensors: Iterable[Any]) -> str:
    """A digest of the values of tensors; empty if there are none, or if they are not plain."""
    import torch

    found = hashlib.blake2b(digest_size=8)
    is_empty = True
    for tensor in tensors:
        if tensor.layout is not torch.strided or type(tensor.detach()) is not torch.Tensor:
            return ""  # each rank may have a part
        plain = tensor.detach().cpu().resolve_conj().resolve_neg().contiguous()
        is_empty = is_empty and not plain.numel()
        found.update(str(tuple(tensor.shape)).encode())
        found.update(ctypes.string_at(plain.data_ptr(), plain.nbytes) if plain.numel() else b"")
    return "" if is_empty else found.hexdigest()
