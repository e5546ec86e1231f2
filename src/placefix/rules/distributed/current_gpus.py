"""Distributed runs in which nothing selects the GPU of a process."""

from __future__ import annotations

import re
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

from placefix.facts import premises
from placefix.facts import torch_api as api
from placefix.facts.finding import Finding
from placefix.facts.interpret.flow import Flow
from placefix.rules.distributed.ranks import Ranks
from placefix.rules.ordering.process_groups import ProcessGroups
from placefix.rules.ordering.wraps import Wraps, device_ids, only_device_id

if TYPE_CHECKING:
    from collections.abc import Iterator

    from placefix.facts.context import AnalysisContext
    from placefix.facts.interpret.values import Event

# Ways to select the current GPU, for the process or a block, or to show each process one GPU.
_SELECTS = r"\bset_device|\bVISIBLE_DEVICES|CUDA_VISIBLE|\bcuda\.device\(|\bdevice_id\b|\bdevice_index\b"


class Unselected(NamedTuple):
    """A module on the first GPU in every process. given: the device id of its wrap, "" without one."""

    finding: Finding
    given: str


class CurrentGpus:
    """PF111 for one file."""

    def __init__(self, context: AnalysisContext) -> None:
        self.context = context

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
        return bool(re.search(_SELECTS, self.context.source.text)) or (
            home is not None and bool(home.sharing(_SELECTS))
        )


def _is_on_current_gpu(wrap: Event) -> bool:
    """Whether a wrapped module is on the current GPU of its process, wherever there is one."""
    device = wrap.place.device if wrap.place is not None and wrap.place.is_device else None
    return device is not None and device.kind in ("cuda", "available") and device.index is None
