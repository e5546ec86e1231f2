"""The implementations of interfaces between analyses.

Only two analyses that need each other have one: the choice of a device reads the uses of CUDA, and a use is rewritten with
the chosen device. All other analyses are requested by their class.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from placefix.facts.context import AnalysisContext
from placefix.facts.devices.cuda_uses import CudaUses

if TYPE_CHECKING:
    import ast

    from placefix.facts.context import Analysis
    from placefix.facts.program.repository import Home
    from placefix.settings import Settings
    from placefix.source import Source


def _cuda_uses(context: AnalysisContext) -> CudaUses:
    from placefix.rules.cuda.use_answers import Uses  # only for a file that names CUDA

    return Uses(context)


IMPLEMENTATIONS: dict[Analysis, Analysis] = {CudaUses: _cuda_uses}


def context_of(
    source: Source, module: ast.Module, settings: Settings, home: Home | None = None, *, assume: bool = True
) -> AnalysisContext:
    """The context in which a file is analysed. source: the text; module: its `ast`; settings: the user's settings;
    home: the file's place in its repository, None if other files must not be read; assume: as in `Tree`."""
    return AnalysisContext(source, module, settings, home, IMPLEMENTATIONS, assume=assume)
