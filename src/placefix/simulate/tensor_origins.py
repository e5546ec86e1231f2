"""Notes on every tensor where the script made it and where it last moved it."""

from __future__ import annotations

import contextlib
from typing import TYPE_CHECKING, Any

import torch
from torch.overrides import TorchFunctionMode

if TYPE_CHECKING:
    from collections.abc import Callable

_MOVES = ("to", "cuda", "cpu")


class TensorOrigins(TorchFunctionMode):
    """Sees the functions of torch that the script's thread calls."""

    def __init__(self, site: Callable[[], Any]) -> None:
        """site: the place in the user's code that the caller's caller is called from, None outside of it."""
        super().__init__()
        self._site = site

    def __torch_function__(self, function: Any, types: Any, arguments: Any = (), options: Any = None) -> Any:
        result = function(*arguments, **(options or {}))
        with contextlib.suppress(Exception):  # an attribute that cannot be set: no note
            self._note(function, arguments, result)
        return result

    def _note(self, function: Any, arguments: Any, result: Any) -> None:
        name = getattr(function, "__name__", "")
        if name.startswith("__") and name.endswith("get__"):
            return
        for value in result if isinstance(result, (tuple, list)) else (result,):
            if isinstance(value, torch.Tensor) and not hasattr(value, "placefix_made"):
                source = arguments[0] if arguments and isinstance(arguments[0], torch.Tensor) else None
                site = self._site()
                if name in _MOVES and source is not None:
                    value.placefix_made = getattr(source, "placefix_made", None)
                    value.placefix_moved = site
                else:
                    value.placefix_made = site
