"""The device on which the other lines of a block with a hard-coded use of CUDA place values: ``x = x.to(device)`` above
``y = y.cuda()``. Both are assumed to mean the same device, whatever the test around them and the value of the device."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from placefix.facts import premises
from placefix.facts.context import FileAnalysis, requires
from placefix.facts.devices.device_selection import Devices
from placefix.facts.naming import last, names_device
from placefix.facts.program.ast_names import dotted
from placefix.facts.program.device_values import device_argument
from placefix.facts.program.tree import dominates
from placefix.rules.cuda.device_choice import Choice

if TYPE_CHECKING:
    from collections.abc import Iterator

    from placefix.facts.devices.cuda_uses import Site
    from placefix.facts.program.tree import Stmt

# Kinds of devices that are the device of a tensor, or one particular GPU.
_NO_CHOICE = ("tensor", "none", "cpu", "index")


class NearbyDevice(FileAnalysis):
    """Answers for one file."""

    devices = requires(Devices)

    def choice(self, site: Site, *, around: bool = False) -> Choice | None:
        """The device of the other lines in the block of a use, or with `around` in the nearest block of the function that has
        one, with the premise; None if there is none, or more than one."""
        for own in site.stmt.ancestors():
            texts = {
                self._placed(call, stmt)
                for call, stmt, inner in self._block(own)
                if self._holds(call, stmt, inner, own)
            } - {""}
            if texts or not around:
                text = texts.pop() if len(texts) == 1 else ""
                return Choice(text, (), (premises.DEVICE_OF_LINES_AROUND(device=text),)) if text else None
        return None

    def in_the_other_arm(self, site: Site) -> Choice | None:
        """The device that the other arm of an ``if`` moves the same thing to."""
        if not isinstance(site.node, ast.Call) or not isinstance(site.node.func, ast.Attribute) or site.guard is None:
            return None
        name, owner = dotted(site.node.func.value), site.guard.stmt
        for call, stmt in self.devices.index.called("to"):
            inner = next((s for s in stmt.ancestors() if s.parent is owner), None)
            if (
                name
                and inner is not None
                and inner.suite.arm != site.guard.arm
                and isinstance(call.func, ast.Attribute)
                and dotted(call.func.value) == name
            ):
                text = self._placed(call, stmt)
                if text and self._holds(call, stmt, owner, owner):
                    return Choice(
                        text,
                        (),
                        (premises.DEVICE_OF_OTHER_ARM(device=text, name=name),),
                    )
        return None

    def _block(self, own: Stmt) -> Iterator[tuple[ast.Call, Stmt, Stmt]]:
        """The calls in the statements of a statement's block, and in their parts, with their statement in it."""
        for call, stmt in (*self.devices.index.called("to"), *self.devices.index.calls_with_device):
            inner = next((s for s in stmt.ancestors() if s.suite is own.suite), None)
            if inner is not None and stmt.scope is own.scope:
                yield call, stmt, inner

    def _placed(self, call: ast.Call, stmt: Stmt) -> str:
        """The device that a call moves something to, or makes it on, where it has a name: ``device``, ``self.get_device()``."""
        given = device_argument(call)
        meaning = self.devices.meaning(given, stmt.scope) if given is not None and _root(given) else None
        return (
            ""
            if given is None or not _root(given) or (meaning is not None and meaning.kind in _NO_CHOICE)
            else self.context.text(given)
        )

    def _holds(self, call: ast.Call, stmt: Stmt, inner: Stmt, own: Stmt) -> bool:
        """Whether the device of a call is bound before the block's statement that holds it, and before `own`, to one thing."""
        given = device_argument(call)
        root = _root(given) if given is not None else ""
        owner = stmt.scope.lookup(root) if root else None
        if owner is None or given is None:
            return False
        bound = [
            *self.devices.index.binding(owner, root),
            *(w.stmt for w in self.devices.index.written(self.context.text(given))),
        ]
        meanings = [
            self.devices.meaning(w.value, owner) for w in self.devices.index.values(owner, root) if w.value is not None
        ]
        if any(m is not None and m.kind in _NO_CHOICE for m in meanings):
            return False
        first = inner if inner.index < own.index else own
        return all(dominates(s, first) for s in bound if s.scope is stmt.scope)


def _root(given: ast.expr) -> str:
    """``self`` of ``self.device`` or ``self.get_device()``, which by their names are devices; empty for anything else."""
    if isinstance(given, ast.Call):
        name = dotted(given.func) if not given.args and not given.keywords else ""
        return name.partition(".")[0] if name.endswith("get_device") else ""
    name = dotted(given)
    return name.partition(".")[0] if names_device(last(name)) else ""
