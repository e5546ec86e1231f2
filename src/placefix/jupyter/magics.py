"""`%load_ext placefix`: check and repair cells from inside a notebook.

    %placefix               check the cells that have been run, in the order in which they were
    %%placefix              check this cell after those, then run it
    %%placefix --fix        put the repaired cell in the place of this one, and do not run it

Nothing is executed to check a cell, and a cell is only ever replaced by `--fix`.
"""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING

from IPython.core.magic import Magics, line_cell_magic, magics_class
from IPython.core.magic_arguments import argument, magic_arguments, parse_argstring

from placefix import runner
from placefix.config import ConfigError, Configs, Options
from placefix.diagnostic import spans
from placefix.discover import Target
from placefix.engine import FixSelector
from placefix.notebook.document import notebook_text
from placefix.report import text
from placefix.report.fix_edits import FixEdits
from placefix.report.output_stream import OutputStream, printable

if TYPE_CHECKING:
    import ast
    from collections.abc import Sequence

    from IPython.core.interactiveshell import InteractiveShell

    from placefix.diagnostic import Diagnostic
    from placefix.runner import FileResult
    from placefix.source import Source

# The name of the cells as a file: a notebook in the working directory, whose modules they may import.
NAME = "notebook.ipynb"


class _CellOutput(OutputStream):
    """The output of a cell: IPython's standard output takes text only."""

    def bytes(self, data: bytes) -> None:
        """Write UTF-8 data as text."""
        sys.stdout.write(data.decode())


@magics_class
class PlacefixMagics(Magics):
    """The magic `placefix`, of a line and of a cell."""

    @magic_arguments()
    @argument("--fix", action="store_true", help="Put the repaired cell in the place of this one; it is not run.")
    @argument("--unsafe-fixes", action="store_true", help="Also fixes whose premise is not proven.")
    @argument("--select", metavar="CODES", help="Only these rules: codes or prefixes, separated by commas.")
    @line_cell_magic
    def placefix(self, line: str, cell: str | None = None) -> None:
        """Check this cell after those that have been run, then run it; as a line, check those that have been run."""
        asked = parse_argstring(self.placefix, line)
        select = tuple(asked.select.split(",")) if asked.select else None
        try:
            configs = Configs(Options(select=select, unsafe_fixes=asked.unsafe_fixes or None))
            target = Target(NAME, os.path.abspath(NAME), configs.at(os.getcwd()), named=True)
        except (ConfigError, ValueError) as error:
            print(f"placefix: {printable(str(error))}", file=sys.stderr)
            return
        before = self._cells()
        cells = before if cell is None else [*before, cell]
        data = notebook_text([(True, each, {}, number, False) for number, each in enumerate(cells, 1)]).encode()
        checked = runner.check_bytes(target, data, runner.Repositories())
        shown = _show_findings(checked, None if cell is None else len(cells))
        if cell is None:
            return
        if not asked.fix:
            self.shell.run_cell(cell)
            return
        fixed = _fix_cell(target, data, len(cells)).rstrip("\n")
        if fixed != cell.rstrip("\n"):
            self.shell.set_next_input(fixed, replace=True)
        elif shown:
            print("placefix: nothing that can be fixed in this cell alone")

    def _cells(self) -> list[str]:
        """The cells that have been run, as they were written; this one and other calls of this magic are left out."""
        history = self.shell.history_manager.input_hist_raw[1:-1]
        return [_without_magic(each) for each in history if not each.lstrip().startswith(("%placefix", "%load_ext"))]


def _without_magic(cell: str) -> str:
    """A cell without the line that had it checked."""
    first, _, rest = cell.partition("\n")
    return rest if first.startswith("%%placefix") else cell


def _show_findings(result: FileResult, cell: int | None) -> bool:
    """Print the findings of one cell, 1-based, or of all. Returns whether there are any."""
    out = _CellOutput(colour=False)
    if result.error:
        print(f"placefix: {printable(result.error)}", file=sys.stderr)
    if (source := result.current) is None:
        return False
    found = [each for each in result.remaining if cell is None or source.cell(each.span.start) == cell]
    edits = FixEdits(source, out)
    for diagnostic in found:
        text.write_finding(result, diagnostic, source, edits, out)
        out.line()
    if not found and not result.error:
        print("placefix: nothing found")
    return bool(found)


class _CellSelector(FixSelector):
    """Selects the fixes that change one cell (1-based) and no other: cells that have run cannot be changed."""

    def __init__(self, cell: int) -> None:
        self._cell = cell

    def select_fixes(self, source: Source, tree: ast.Module, found: Sequence[Diagnostic]) -> Sequence[Diagnostic]:
        """The findings whose fixes change the one cell only."""
        return [each for each in found if all(source.cell(span.start) == self._cell for span in spans(each.fix))]


def _fix_cell(target: Target, data: bytes, cell: int) -> str:
    """The text of one cell, 1-based, with the fixes that change no other."""
    current = runner.fix_bytes(target, data, runner.Repositories(), _CellSelector(cell)).current
    return dict(current.pieces(current.text))[f"cell {cell}"] if current is not None else ""


def load_ipython_extension(shell: InteractiveShell) -> None:
    """Register the magic; called by `%load_ext placefix`."""
    shell.register_magics(PlacefixMagics)
