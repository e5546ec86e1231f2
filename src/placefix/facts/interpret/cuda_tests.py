"""Whether a test is for CUDA, by its words and by the values of its names."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, Any

from placefix.facts.interpret.state import AVAILABLE, NO_FLAG, Flag
from placefix.facts.naming import mentions_device, names_cuda
from placefix.facts.program.ast_names import literal_text
from placefix.facts.program.ast_walk import children, walk
from placefix.facts.program.comparisons import spared

if TYPE_CHECKING:
    from placefix.facts.interpret.interpreter_base import Machine

_ALL = ("*",)  # in place of the names, for a test whose text mentions a device


def cuda_test(machine: Machine, test: ast.expr) -> Flag:
    """The flag of a `test` for CUDA, without a text if another device would do; else no flag."""
    named = machine.named_in.get(test)
    if named is None:
        asks = mentions_device(machine.source.code(test))
        named = machine.named_in[test] = _ALL if asks else tuple({n.id for n in walk(test) if n.__class__ is ast.Name})
    if named is not _ALL and not (machine.flags and any(_is_flag(machine, name) for name in named)):
        return NO_FLAG
    arms = spared(test, lambda name: _is_available(machine, name))
    if not _asks_for_cuda(machine, test):
        return Flag("", *arms) if any(arms) else NO_FLAG
    text = machine.source.code(test)
    # another file's names are not this file's
    return Flag(text if not machine.abroad or text in AVAILABLE else f"elsewhere: {text}", *arms)


def _is_flag(machine: Machine, name: str) -> bool:
    """Whether a name holds the result of a query about CUDA."""
    value = machine.lookup(name)
    return value is not None and value.is_flag


def _is_available(machine: Machine, name: str) -> bool:
    """Whether a name holds whether there is CUDA."""
    value = machine.lookup(name)
    return value is not None and value.is_flag and value.value == "available"


def _asks_for_cuda(machine: Machine, test: ast.expr) -> bool:
    """Whether a name in a test mentions CUDA, or holds the result of a query about it."""
    stack: list[Any] = [test]
    while stack:
        part = stack.pop()
        kind = part.__class__
        if kind is ast.Attribute:
            if names_cuda(part.attr):
                return True
            stack.append(part.value)
        elif kind is ast.Subscript and names_cuda(literal_text(part.slice) or ""):
            return True
        elif kind is ast.Name:
            if names_cuda(part.id) or (machine.flags and _is_flag(machine, part.id)):
                return True
        elif kind is not ast.Constant:
            stack += children(part)
    return False
