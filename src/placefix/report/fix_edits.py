"""A single fix as text edits: for JSON, and for the diff shown under a finding."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

from placefix.layout import Layout, RefusedError
from placefix.text_edits import token_edits

if TYPE_CHECKING:
    import ast

    from placefix.diagnostic import Fix
    from placefix.report.output_stream import OutputStream
    from placefix.source import Source
    from placefix.text_edits import TextEdit


class FixEdits:
    """The text edits of fixes of one file. Loads the writer, and so libcst, at the first call."""

    def __init__(self, source: Source, out: OutputStream) -> None:
        self._source = source
        self._out = out

    def of(self, fix: Fix) -> tuple[TextEdit, ...] | str:
        """The text edits of a fix, in order and without overlaps; or the reason, a sentence, why it cannot be written.

        A failure of the writer itself is the file's error as well.
        """
        from placefix import engine, writer

        try:
            return writer.resolve_fix(self._source, self._tree, fix, self._layout)
        except engine.ParseError:
            return token_edits(fix)
        except RefusedError as refusal:
            return str(refusal)
        except Exception as error:
            reason = engine.internal_error(error)
            self._out.error(self._source.name, reason)
            return reason

    @cached_property
    def _layout(self) -> Layout:
        return Layout(self._source, self._tree)

    @cached_property
    def _tree(self) -> ast.Module:
        from placefix import engine

        return engine.parse(self._source)
