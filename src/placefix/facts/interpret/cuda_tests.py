"""Whether a test is for CUDA, by its words and by the values of its names."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, Any

from placefix.facts.interpret.state import AVAILABLE, NO_FLAG, Flag
from placefix.facts.naming import mentions_device, names_cuda, names_device_option, names_no_cuda
from placefix.facts.program.ast_names import dotted, literal_text, name_of
from placefix.facts.program.ast_walk import children, walk
from placefix.facts.program.comparisons import spared
from placefix.facts.program.device_values import device_of_word

if TYPE_CHECKING:
    from placefix.facts.interpret.interpreter_base import Machine

_ALL = ("*",)  # in place of the names, for a test whose text mentions a device


def cuda_test(machine: Machine, test: ast.expr) -> Flag:
    """The flag of a `test` for CUDA, without a text if another device would do; else no flag."""
    named = machine.tree.named_in.get(test)
    if named is None:
        asks = mentions_device(machine.source.code(test))
        named = machine.tree.named_in[test] = (
            _ALL if asks else tuple({n.id for n in walk(test) if n.__class__ is ast.Name})
        )
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
    """Whether a name in a test mentions CUDA or the CPU, or holds the result of a query about it, or a device is compared with CUDA's."""
    stack: list[Any] = [test]
    while stack:
        part = stack.pop()
        kind = part.__class__
        if kind is ast.Attribute:
            if _names_flag(part.attr):
                return True
            stack.append(part.value)
        elif kind is ast.Name:
            if _names_flag(part.id) or (machine.flags and _is_flag(machine, part.id)):
                return True
        elif kind is not ast.Constant:
            if (kind in (ast.Subscript, ast.Call) and _names_flag(name_of(part))) or _compares_device(part):
                return True
            stack += children(part)
    return False


def _names_flag(name: str) -> bool:
    return names_cuda(name) or names_no_cuda(name)


def _compares_device(part: ast.AST) -> bool:
    """Whether the device of the code is compared with CUDA or the CPU: ``device.type == "cuda"``, ``"cuda" in self.device``,
    ``args.device.startswith("cuda")``. That of a tensor, ``x.device``, is not the code's."""
    if isinstance(part, ast.Call) and isinstance(part.func, ast.Attribute) and part.func.attr == "startswith":
        sides = [part.func.value, *part.args]
    elif isinstance(part, ast.Compare) and len(part.ops) == 1:
        sides = [part.left, *part.comparators]
    else:
        return False
    named = any(_is_cuda_or_cpu(literal_text(side)) for side in sides)
    return named and any(names_device_option(dotted(side).removesuffix(".type")) for side in sides)


def _is_cuda_or_cpu(word: str | None) -> bool:
    device = device_of_word(word)
    return device is not None and (device.is_cuda or device.is_cpu)
