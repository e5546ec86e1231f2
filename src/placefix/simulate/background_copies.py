"""Copies from a device to pinned memory that run in the background: their values arrive when the host waits for the device."""

from __future__ import annotations

from typing import TYPE_CHECKING

import torch

from placefix.simulate.device_tags import host_alias

if TYPE_CHECKING:
    from torch import Tensor


class BackgroundCopies:
    """The copies that have begun. The real ones take some time, and may finish before the host waits; here they never do."""

    def __init__(self) -> None:
        self._begun: list[tuple[Tensor, Tensor]] = []

    def begin(self, target: Tensor, source: Tensor) -> None:
        """Begin a copy of the present values of a tensor on a device."""
        # `.data`: autograd recorded the copy when it began
        self._begun.append((target.data, host_alias(source).detach().clone()))

    def finish(self) -> None:
        """Finish all of them, in the order in which they began."""
        while self._begun:
            target, values = self._begun.pop(0)
            with torch.no_grad():
                target.copy_(values)
