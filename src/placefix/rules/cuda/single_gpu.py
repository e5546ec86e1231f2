"""GPUs that a program names by number: ``.cuda(args.gpu)``, where the number is known to be one.

A number is an int that the file writes out, the default of a parameter or the default of a
command line option of type int; None, which ``.cuda`` reads as the current GPU and ``.to`` as
no move, never is.
"""

from __future__ import annotations

import ast
from functools import cached_property
from typing import TYPE_CHECKING

from placefix.facts.context import FileAnalysis, requires
from placefix.facts.devices.device_selection import Devices
from placefix.facts.devices.torch_imports import TorchImports
from placefix.facts.program.ast_names import defaults, dotted, is_name, keyword_value, literal_int, may_give
from placefix.facts.program.command_options import options
from placefix.facts.program.conditions import Test
from placefix.facts.program.option_holders import OptionHolders
from placefix.facts.program.tree import dominates
from placefix.rules.cuda.refusals import Refusals
from placefix.rules.cuda.use_sites import Cuda

if TYPE_CHECKING:
    from placefix.diagnostic import Edit
    from placefix.facts.devices.cuda_uses import Site
    from placefix.facts.program.tree import Scope, Stmt


class OneGpu(FileAnalysis):
    """The one GPU by number on which a file places everything."""

    cuda = requires(Cuda)
    devices = requires(Devices)

    def device(self, site: Site) -> tuple[str, tuple[Edit, ...]] | None:
        """The device for ``x.cuda(gpu)`` and the edits that define it; None where the file places things in
        other ways too, or the number is not known to be one."""
        gpu = dotted(site.extra) if site.extra is not None else ""
        root = gpu.partition(".")[0]
        owner = site.stmt.scope.lookup(root) if gpu else None
        if owner is None or not self._alone(gpu) or not self.is_number(gpu, owner):
            return None
        for reach in self.devices.candidates(site.stmt):
            same = reach.meaning.has_number and self._written(reach.stmt) == self._value(site, gpu)
            return (reach.text, ()) if same else None  # a second device would only confuse
        test = Test(gpu, ("number", gpu, id(owner)), False, ((root, owner),), (gpu,))
        stmts = [s.stmt for s in self.cuda.sites if s.stmt.scope.lookup(root) is owner]
        value = self._value(site, gpu)
        return self.devices.defined_as(value, stmts, test) or self.devices.defined_as(value, [site.stmt], test)

    def is_current(self, site: Site) -> bool:
        """Whether the argument of ``x.cuda(rank)`` is the one of ``torch.cuda.set_device(rank)`` before it: with
        anything that is no number of a GPU one of the two raises."""
        extra, scope = site.extra, site.stmt.scope
        text = dotted(extra) if extra is not None else ""
        qualname = self.context.tree.qualname
        made = [
            (c, s) for c, s in self.index.called("set_device") if qualname(c.func, s.scope) == "torch.cuda.set_device"
        ]
        if (
            not text
            or "cuda.device(" in self.context.source.text
            or any(not c.args or dotted(c.args[0]) != text for c, _ in made)
        ):
            return False
        bound = [*self.index.binding(scope, text.partition(".")[0]), *(w.stmt for w in self.index.written(text))]
        for _, stmt in made:
            above = self._asked(stmt)
            if (
                stmt.scope is scope
                and dominates(above, site.stmt)
                and all(b.scope is not scope or dominates(b, above) for b in bound)
            ):
                return True
        return False

    def _asked(self, stmt: Stmt) -> Stmt:
        """The statement itself, or the question around it whether there is CUDA."""
        owner = stmt.suite.owner
        if owner is None or not isinstance(owner.node, ast.If) or stmt.suite is not owner.suites[0]:
            return stmt
        read = self.devices.tests.read(owner.node.test, owner.scope)
        return owner if read is not None and read.available and not read.negated else stmt

    def _value(self, site: Site, gpu: str) -> str:
        torch = self.context.get(TorchImports).name_at(site.stmt) or "torch"
        return f'{torch}.device(f"cuda:{{{gpu}}}" if {torch}.cuda.is_available() else "cpu")'

    def _written(self, stmt: object) -> str:
        """The text of the value in a definition; "" if it has none."""
        value = getattr(getattr(stmt, "node", None), "value", None)
        return self.context.source.code(value) if isinstance(value, ast.expr) else ""

    def _alone(self, gpu: str) -> bool:
        """Whether every use of CUDA in the file is an unguarded move to this number."""
        return not self.context.get(Refusals).of_file and all(
            s.form == "cuda" and s.guard is None and s.extra is not None and dotted(s.extra) == gpu
            for s in self.cuda.sites
        )

    # --- numbers ------------------------------------------------------------------------------

    def is_number(self, gpu: str, owner: Scope, *, follow_callers: bool = False) -> bool:
        """Whether all values that the file gives a name or an option are numbers. follow_callers: also an option
        of the object that the callers in the file pass."""
        if "." not in gpu:
            writes = self.index.values(owner, gpu)
            default = defaults(owner.function.args).get(gpu) if owner.is_function else None
            given = [w.value for w in writes] + ([default] if default is not None else [])
            return (
                bool(given)
                and len(given) == len(owner.bindings[gpu])
                and all(literal_int(value) is not None for value in given)
            )
        parsed = ast.Name(gpu.partition(".")[0], ast.Load())
        if gpu.count(".") > 1 or not OptionHolders(self.index, follow_callers=follow_callers).holds(parsed, owner):
            return False
        options = self._options.get(gpu.partition(".")[2], [])
        return (
            len(options) == 1
            and _int_option(options[0])
            and all(literal_int(w.value) is not None for w in self.index.written(gpu))
        )

    @cached_property
    def _options(self) -> dict[str, list[ast.Call]]:
        return options(self.index)


def _int_option(call: ast.Call) -> bool:
    """Whether an option is an int on every command line: ``type=int`` with an int as its default."""
    default = literal_int(keyword_value(call, "default"))
    return (
        is_name(keyword_value(call, "type"), "int")
        and default is not None
        and not may_give(call, "nargs", "action", "const")
    )
