"""The pieces of hostile programs. Each prints what it computes, runs clean where it can, and shares flags and devices with the others.

A piece is general: names, values, spellings, guards and places are drawn. Importing this package fills `PIECES`.
"""

import importlib
import pkgutil

from hostile.piece import PIECES, Piece

for _module in sorted(module.name for module in pkgutil.iter_modules(__path__)):
    importlib.import_module(f"{__name__}.{_module}")

__all__ = ["PIECES", "Piece"]
