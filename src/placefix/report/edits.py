"""A single fix as text edits: for JSON, and for the diff shown under a finding."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import ast

    from placefix.diagnostic import Fix
    from placefix.source import Source
    from placefix.splice import TextEdit


class Edits:
    """The text edits of fixes of one file. Loads the writer, and so libcst, when it is asked."""

    def __init__(self, source: Source) -> None:
        self._source = source

    def of(self, fix: Fix) -> tuple[TextEdit, ...]:
        """What the fix changes, in order and without overlaps. Raises rewrite.RewriteError."""
        from placefix import rewrite

        return rewrite.text_edits(self._source, self._tree, fix)

    def applied(self, fix: Fix) -> str:
        """The file's text after this fix alone."""
        from placefix.splice import splice

        return splice(self._source.text, self.of(fix))

    @cached_property
    def _tree(self) -> ast.Module:
        from placefix import engine

        return engine.parse(self._source)
