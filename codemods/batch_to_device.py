"""Move tensors to the device where they are used."""

from __future__ import annotations

from codemods.command import PlacefixCommand


class BatchToDeviceCommand(PlacefixCommand):
    """What ``placefix apply --select PF3`` does."""

    DESCRIPTION = "Move tensors to the device where they are used."
    SELECT = ("PF3",)
