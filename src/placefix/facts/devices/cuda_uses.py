"""The uses of CUDA in a file, as far as the choice of a device needs them.

Where a new device is defined depends on the uses that it will serve, and how a use is rewritten depends on the devices in
scope. Both sides know each other only by `CudaUses`: the code for CUDA implements it (`rules.cuda.use_answers`), the choice of a
device requests it.
"""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, Literal, NamedTuple

from placefix.facts.context import FileAnalysis

if TYPE_CHECKING:
    from collections.abc import Sequence

    from placefix.facts.program.conditions import Test
    from placefix.facts.program.tree import Stmt


class Guard(NamedTuple):
    """A test for CUDA that decides whether a use runs.

    node: the `if` statement or the conditional expression; arm: "body" or "orelse", the one with
    the use; test: the test, None if it is not known to depend on nothing but CUDA.
    """

    node: ast.If | ast.IfExp
    stmt: Stmt
    arm: str
    test: Test | None

    @property
    def positive(self) -> bool:
        """Whether the site runs when the test is true."""
        return self.arm == "body"


SiteForm = Literal["cuda", "to", "argument", "definition", "default", "tensor", "cast", "call"]


class Site(NamedTuple):
    """One hard-coded use of CUDA.

    form: cuda (``x.cuda()``), to (``x.to("cuda")``), argument (``device="cuda"``), definition
    (``torch.device("cuda")`` or a plain string that is bound to a device name), default (a string that a parameter or an option has
    if nothing else is given), tensor
    (``torch.cuda.FloatTensor(…)``), cast (``x.type(torch.cuda.FloatTensor)``),
    call (of another function that needs CUDA).
    node: the call; literal: the "cuda" expression or the type; index: the GPU it names, None for the
    current one; extra: an argument of ``.cuda`` that is not a literal.
    """

    form: SiteForm
    node: ast.expr
    stmt: Stmt
    literal: ast.expr | None = None
    index: int | None = None  # type: ignore[assignment]
    extra: ast.expr | None = None
    guard: Guard | None = None

    @property
    def receiver(self) -> ast.expr | None:
        """The object that a method is called on: `x` in ``x.cuda()``; None where no method is called."""
        func = self.node.func if isinstance(self.node, ast.Call) else None
        return func.value if isinstance(func, ast.Attribute) else None

    @property
    def is_move(self) -> bool:
        """Whether it is the call of a method that moves: ``x.cuda()``, ``x.to("cuda")``."""
        return self.form in ("cuda", "to")

    @property
    def is_definition(self) -> bool:
        """Whether it defines a device."""
        return self.form in ("definition", "default")

    @property
    def names_type(self) -> bool:
        """Whether it names a type of CUDA tensors, and no device."""
        return self.form in ("tensor", "cast")


class CudaUses(FileAnalysis):
    """The questions. `rules.cuda.use_answers` answers them."""

    @property
    def sites(self) -> Sequence[Site]:
        """The uses in the order of the text."""
        raise NotImplementedError

    def is_right(self, site: Site) -> bool:
        """Whether a use has a reason to stay: it may not be rewritten, or the code around it needs a GPU."""
        raise NotImplementedError

    def has_tensor(self, site: Site) -> bool:
        """Whether a use can take the device of a tensor at that place, and so needs no other."""
        raise NotImplementedError

    def collapses(self, site: Site) -> bool:
        """Whether the guard around a use goes away with it."""
        raise NotImplementedError
