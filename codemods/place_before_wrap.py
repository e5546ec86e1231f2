"""Place a module on its device before wrapping it."""

from __future__ import annotations

from codemods.command import PlacefixCommand


class PlaceBeforeWrapCommand(PlacefixCommand):
    """What ``placefix apply --select PF1`` does."""

    DESCRIPTION = "Place a module on its device before wrapping it."
    SELECT = ("PF1",)
