"""Name a device instead of hard-coding CUDA."""

from __future__ import annotations

from codemods.command import PlacefixCommand


class DeviceAgnosticCommand(PlacefixCommand):
    """What ``placefix apply --select PF4`` does."""

    DESCRIPTION = "Name a device instead of hard-coding CUDA."
    SELECT = ("PF4",)
