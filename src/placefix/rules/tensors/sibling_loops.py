"""Loops that move only a part of a batch, where another loop of the file moves all of it.

``train`` and ``test`` mostly use the same names and statements for their batches. If one moves ``data`` and ``target``
to a device, and passes them to the same model and the same loss, and the other moves only ``target``,
``data`` was forgotten there. The kind of the model need not be known.
"""

from __future__ import annotations

import ast
import itertools
from functools import cached_property
from typing import TYPE_CHECKING

from placefix import torch_model
from placefix.diagnostic import Insert
from placefix.facts import premises
from placefix.facts import torch_api as api
from placefix.facts.finding import Finding
from placefix.facts.naming import mentions_loader
from placefix.facts.program.ast_names import dotted, is_name
from placefix.facts.program.ast_walk import walk
from placefix.rules.tensors.tensor_moves import moved, scatters

if TYPE_CHECKING:
    from collections.abc import Iterator

    from placefix.diagnostic import Edit
    from placefix.facts.context import AnalysisContext
    from placefix.facts.program.tree import Stmt

_READS = frozenset(("numpy", "tolist", "cpu", "cuda", "to", "pin_memory"))


class _BatchLoop:
    """A loop over batches: its number in the file, its statements, the names it moves (name -> device and statement)."""

    def __init__(self, number: int, stmt: Stmt, body: tuple[Stmt, ...], moved: dict[str, tuple[str, Stmt]]) -> None:
        self.number = number
        self.stmt = stmt
        self.body = body
        self.moved = moved

    @cached_property
    def said(self) -> frozenset[str]:
        """Its statements, in words that can be compared."""
        return frozenset(ast.dump(s.node) for s in self.body)

    @cached_property
    def calls(self) -> frozenset[str]:
        """The calls in its statements, in the same form."""
        return frozenset(_said(c) for s in self.body for c in _calls(s))


class SiblingLoops:
    """Answers for one file."""

    def __init__(self, context: AnalysisContext) -> None:
        self.context = context

    def forgotten(self) -> Iterator[Finding]:
        """Parts of batches that stay on the CPU in one loop, and that another one moves."""
        if self.context.source.text.count("oader") < 2:
            return  # each of the two goes over one
        if len(self._loops) < 2 or scatters(self.context.source.text):
            return
        for loop in self._loops:
            found = next(filter(None, (self._missed(loop, twin) for twin in self._richer(loop))), None)
            if found is not None:
                yield found

    def _richer(self, loop: _BatchLoop) -> list[_BatchLoop]:
        """The loops that move something which a loop does not move, in the order of the file."""
        alike = [loops for names, loops in self._by_names.items() if not names <= loop.moved.keys()]
        return alike[0] if len(alike) == 1 else sorted(itertools.chain(*alike), key=lambda twin: twin.number)

    @cached_property
    def _by_names(self) -> dict[frozenset[str], list[_BatchLoop]]:
        """The loops, by the names they move."""
        found: dict[frozenset[str], list[_BatchLoop]] = {}
        for loop in self._loops:
            found.setdefault(frozenset(loop.moved), []).append(loop)
        return found

    @cached_property
    def _loops(self) -> list[_BatchLoop]:
        found: list[_BatchLoop] = []
        for stmt in self.context.tree.stmts.values():
            if isinstance(stmt.node, ast.For) and mentions_loader(self.context.text(stmt.node.iter)):
                body = tuple(self._inner(stmt))
                moved = {name: (device, inner) for inner in body for name, device in _moves(inner.node) if device}
                if moved:
                    found.append(_BatchLoop(len(found), stmt, body, moved))
        return found

    def _inner(self, stmt: Stmt) -> Iterator[Stmt]:
        """The statements of a loop that every round runs."""
        for inner in stmt.suites[0].stmts:
            yield inner
            if isinstance(inner.node, ast.With):
                yield from self._inner(inner)

    def _missed(self, loop: _BatchLoop, twin: _BatchLoop) -> Finding | None:
        for name, (device, _) in twin.moved.items():
            if name in loop.moved or not self._left(name, loop):
                continue
            beside = next(
                (s for n, (d, s) in loop.moved.items() if d == device and twin.moved.get(n, ("",))[0] == d), None
            )
            model = self._consumer(name, loop, twin) if beside is not None else ""
            if beside is None or not model:
                continue
            node, edit = self._edit(name, device, beside)
            premise = premises.MODEL_ON_DEVICE(model=model)
            doubt = premises.MODEL_DEVICE_NOT_SEEN(model=model)
            return Finding(
                self.context.span(node), edits=(edit,), premises=(premise,), device=device, doubt=doubt, names=(name,)
            )
        return None

    def _left(self, name: str, loop: _BatchLoop) -> bool:
        """Whether the loop binds the name, and neither moves its value nor needs it on the CPU."""
        target = loop.stmt.node.target  # type: ignore[attr-defined]
        bound = any(isinstance(n, ast.Name) and n.id == name for n in walk(target)) or any(
            name in dict(_moves(s.node)) for s in loop.body
        )
        return bound and not any(
            (
                isinstance(n, ast.Call)
                and self.context.tree.qualname(n.func, loop.stmt.scope) in api.PACK
                and any(is_name(a, name) for a in n.args)
            )
            or (isinstance(n, ast.Attribute) and n.attr in _READS and dotted(n.value).partition(".")[0] == name)
            or (
                isinstance(n, ast.Call)
                and dotted(n.func).startswith(("np.", "numpy."))
                and any(is_name(a, name) for a in n.args)
            )
            for n in walk(loop.stmt.node)
        )

    def _consumer(self, name: str, loop: _BatchLoop, twin: _BatchLoop) -> str:
        """The model, or the loss, that both loops pass the name to, or the operation that both compute from it with the same text."""
        derived = {name}
        for stmt in loop.body:
            for call in _calls(stmt):
                if (
                    not any(isinstance(a, ast.Name) and a.id in derived for a in call.args)
                    or _said(call) not in twin.calls
                ):
                    continue
                if self._is_model(call, stmt) or (self._is_loss(call, stmt) and self._alike(call, loop, twin)):
                    return (
                        dotted(call.func)
                        if self._is_model(call, stmt)
                        else next(dotted(a) for a in call.args if not is_name(a, name))
                    )
            node = stmt.node
            if (
                isinstance(node, ast.Assign)
                and ast.dump(node) in twin.said
                and any(isinstance(n, ast.Name) and n.id in derived for n in walk(node.value))
            ):
                derived |= {t.id for t in node.targets if isinstance(t, ast.Name)}
        return ""

    def _is_model(self, call: ast.Call, stmt: Stmt) -> bool:
        from placefix.rules.cuda.device_agreement import Meets

        return (
            self.context.get(Meets).is_module(call, stmt.scope)
            and self.context.tree.qualname(call.func, stmt.scope) is None
        )

    def _is_loss(self, call: ast.Call, stmt: Stmt) -> bool:
        return torch_model.is_loss(self.context.tree.qualname(call.func, stmt.scope))

    @staticmethod
    def _alike(call: ast.Call, loop: _BatchLoop, twin: _BatchLoop) -> bool:
        """Whether both loops make the first thing that is compared in the same words."""
        first = dotted(call.args[0])
        made = [
            s.node
            for s in loop.body
            if isinstance(s.node, ast.Assign) and any(is_name(t, first) for t in s.node.targets)
        ]
        return bool(made) and all(ast.dump(node) in twin.said for node in made)

    def _edit(self, name: str, device: str, beside: Stmt) -> tuple[ast.AST, Edit]:
        """The move: in the assignment that moves the rest, where it binds the name as well, else behind it."""
        node = beside.node
        assert isinstance(node, ast.Assign)
        for target, value in _pairs(node):
            if is_name(target, name):
                return value, moved(self.context.source, value, device)
        move = device if device.startswith(".") else f".to({device})"
        return node, Insert(self.context.span(beside), f"{name} = {name}{move}", "after")


def _pairs(node: ast.Assign) -> list[tuple[ast.expr, ast.expr]]:
    """The targets of an assignment with their values."""
    target, value = node.targets[0], node.value
    if isinstance(target, ast.Tuple) and isinstance(value, ast.Tuple) and len(target.elts) == len(value.elts):
        return list(zip(target.elts, value.elts, strict=True))
    return [(target, value)]


def _moves(node: ast.stmt) -> Iterator[tuple[str, str]]:
    """The names that an assignment binds, with the device that it moves their values to, "" where it does not."""
    for target, value in _pairs(node) if isinstance(node, ast.Assign) and len(node.targets) == 1 else ():
        if isinstance(target, ast.Name):
            yield target.id, _device(value)


def _device(value: ast.expr) -> str:
    if not (isinstance(value, ast.Call) and isinstance(value.func, ast.Attribute)):
        return ""
    if value.func.attr == "cuda" and not value.args and not value.keywords:
        return ".cuda()"
    return dotted(value.args[0]) if value.func.attr == "to" and value.args else ""


def _calls(stmt: Stmt) -> Iterator[ast.Call]:
    """The calls of a statement, not of those in it."""
    value = getattr(stmt.node, "value", None)
    return (n for n in walk(value) if isinstance(n, ast.Call)) if value is not None else iter(())


def _said(call: ast.Call) -> str:
    return ast.dump(call.func) + "".join(map(ast.dump, call.args))
