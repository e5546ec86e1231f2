"""A function whose module is imported when it is called."""

from __future__ import annotations

from importlib import import_module
from typing import Any, NamedTuple


class LazyFunction(NamedTuple):
    """A function of a module that is loaded when it is called. Loading every rule at start would double the time of a small run.

    module: its dotted name; function: the name of the function in it.
    """

    module: str
    function: str

    def __call__(self, *args: Any) -> Any:
        return getattr(import_module(self.module), self.function)(*args)

    @property
    def documentation(self) -> str:
        """The module's docstring."""
        return import_module(self.module).__doc__ or ""
