"""Build an optimizer after its module is placed."""

from __future__ import annotations

from codemods.command import PlacefixCommand


class OptimizerAfterPlacementCommand(PlacefixCommand):
    """What ``placefix apply --select PF2`` does."""

    DESCRIPTION = "Build an optimizer after its module is placed."
    SELECT = ("PF2",)
