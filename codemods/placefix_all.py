"""Repair device placement: all of placefix's rules."""

from __future__ import annotations

from codemods.command import PlacefixCommand


class PlacefixAllCommand(PlacefixCommand):
    """What ``placefix apply`` does."""

    DESCRIPTION = "Repair device placement: all of placefix's rules."
    SELECT = None
