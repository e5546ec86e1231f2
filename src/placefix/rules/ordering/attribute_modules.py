"""Modules that a method keeps in attributes where they are made, and that it places elsewhere: in another arm of a test, or in the lines beside."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from placefix.facts import premises
from placefix.facts.finding import Finding
from placefix.facts.interpret.class_summaries import ClassSummaries, class_info
from placefix.facts.naming import last, mentions_device, mentions_modules, names_class
from placefix.facts.program.ast_names import dotted
from placefix.facts.program.ast_walk import walk
from placefix.facts.program.device_values import move_destination
from placefix.facts.program.tree import common
from placefix.rules.tensors.tensor_moves import moved

if TYPE_CHECKING:
    from collections.abc import Iterator

    from placefix.facts.context import AnalysisContext
    from placefix.facts.program.expression_index import AttributeWrite
    from placefix.facts.program.tree import Scope

_ROW = 2  # so many lines beside show what belongs to all


class AttributeModules:
    """Answers for one file."""

    def __init__(self, context: AnalysisContext) -> None:
        self.context = context
        self.index = context.index

    def forgotten(self) -> Iterator[Finding]:
        """The modules that stay where they are made; those of a module are placed with it, or are not."""
        infos = self.context.get(ClassSummaries).known
        for writes in self._kept().values():
            cls = writes[0][1].stmt.scope.cls
            if cls is None or class_info(cls, infos).is_module:
                continue
            placed = [(text, write, device) for text, write in writes if (device := move_destination(write.value))]
            for text, write in writes if placed else ():
                if self._is_left(text, write):
                    yield from self._beside(text, write, placed)

    def _kept(self) -> dict[Scope, list[tuple[str, AttributeWrite]]]:
        """The attributes of `self` that each method sets and that are modules by their names, in the order of their names."""
        found: dict[Scope, list[tuple[str, AttributeWrite]]] = {}
        for text, writes in self.index.writes.items():
            if text.startswith("self.") and text.count(".") == 1 and mentions_modules(text):
                for write in writes:
                    found.setdefault(write.stmt.scope, []).append((text, write))
        return found

    def _is_left(self, text: str, write: AttributeWrite) -> bool:
        """Whether an attribute is set to the result of a call that names no device, and nothing in the class moves it."""
        if not isinstance(write.value, ast.Call) or mentions_device(self.context.text(write.value)):
            return False
        cls = write.stmt.scope.cls
        moves = (stmt for attr, stmt in self.index.attribute_reads(text) if attr in ("to", "cuda", "cpu"))
        return move_destination(write.value) == "" and not any(stmt.scope.class_around is cls for stmt in moves)

    def _beside(
        self, text: str, write: AttributeWrite, placed: list[tuple[str, AttributeWrite, str]]
    ) -> Iterator[Finding]:
        """An attribute that another arm of a test places, or of which the like beside it are placed on one device."""
        assert isinstance(write.value, ast.Call)
        arms = [one for one in placed if one[0] == text and self._is_other_arm(write, one[1])]
        row = [one for one in placed if one[0] != text and self._is_made_alike(write, one[1])]
        made = last(dotted(write.value.func))
        shown = arms if arms and (names_class(made) or made == "from_pretrained") else row if len(row) >= _ROW else []
        devices = {device for _, _, device in shown}
        if len(devices) == 1:
            _, other, device = shown[0]
            premise = premises.BOUND_ALIKE(name=text, other=self.context.text(other.value))  # type: ignore[arg-type]
            yield Finding(
                self.context.span(write.value),
                edits=(moved(self.context.source, write.value, device),),
                premises=(premise,),
                device=device,
                doubt=premises.CALLER_MAY_PLACE,
                names=(text,),
                beside=self.context.text(other.value),  # type: ignore[arg-type]
            )

    def _is_other_arm(self, write: AttributeWrite, other: AttributeWrite) -> bool:
        """Whether two assignments are in arms of one test that asks for no device."""
        pair = common(write.stmt, other.stmt)
        test = pair[0].node if pair is not None and pair[0] is pair[1] else None
        return isinstance(test, ast.If) and not mentions_device(self.context.text(test.test))

    @staticmethod
    def _is_made_alike(write: AttributeWrite, other: AttributeWrite) -> bool:
        """Whether the same statements bind two attributes to results of one thing: ``makers["a"]()`` and ``makers["b"]().to(device)``."""
        if write.stmt.suite is not other.stmt.suite or write.value is None or not isinstance(other.value, ast.Call):
            return False
        first, second = _maker(write.value), _maker(other.value.func.value)  # type: ignore[attr-defined]
        return first != "" and first == second


def _maker(value: ast.expr) -> str:
    """``makers[…]`` of ``makers["a"](n)``: the item of something that makes a value, without its key; "" for others."""
    func = value.func if isinstance(value, ast.Call) else None
    if not isinstance(func, ast.Subscript):
        return ""
    return dotted(func.value) if any(isinstance(part, ast.Constant) for part in walk(func.slice)) else ""
