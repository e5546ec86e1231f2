"""Programs that choose a device for each of their parts: ``devices["encoder"]``, ``place("head")``, ``args.actor_device``.

Where such a choice is not known, it may be the CPU, and a tensor of the CPU may be right there.
"""

from __future__ import annotations

import ast
from collections import defaultdict
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

from placefix.facts.context import FileAnalysis
from placefix.facts.naming import names_device
from placefix.facts.program.ast_names import argument_values, dotted, keyword_value

if TYPE_CHECKING:
    from placefix.facts.program.device_values import Device
    from placefix.facts.program.tree import Scope, Stmt

# Calls with a device as an argument.
_MOVES = ("to", "device")


class KeyedDevice(NamedTuple):
    """A device that is chosen among several: by whom or by which, and the key."""

    holder: str
    key: str


class SeparateDevices(FileAnalysis):
    """The choices of devices in one file."""

    def is_one_of_several(self, device: Device | None, stmt: Stmt) -> bool:
        """Whether a device at a statement, of which nothing is known, is one of several that the program chooses by the same means."""
        if device is None or device.kind != "other" or not device.text:
            return False
        found = self._choice(_parsed(device.text), stmt.scope)
        return found is not None and len(self._keys[found.holder]) > 1

    @cached_property
    def _keys(self) -> dict[str, set[str]]:
        """The keys by which devices are chosen, by the holder."""
        found: dict[str, set[str]] = defaultdict(set)
        index = self.context.index
        values = [(value, stmt) for call, stmt in index.called(*_MOVES) for value in argument_values(call)]
        named = [(keyword_value(call, "device"), stmt) for call, stmt in index.calls_with_device]
        for value, stmt in (*values, *named):
            choice = self._choice(value, stmt.scope)
            if choice is not None:
                found[choice.holder].add(choice.key)
        return found

    def _choice(self, node: ast.expr | None, scope: Scope) -> KeyedDevice | None:
        """The choice that an expression makes, through the one binding of a local name; None for other expressions."""
        if isinstance(node, ast.Name):
            home = scope.lookup(node.id)
            node = self.context.index.only_value(home, node.id) if home is not None else None
        if isinstance(node, ast.Call) and self.context.tree.qualname(node.func, scope) == "torch.device":
            node = node.args[0] if len(node.args) == 1 else None
        if isinstance(node, ast.Subscript) and _is_word(node.slice):
            return KeyedDevice(dotted(node.value), ast.dump(node.slice))
        if isinstance(node, ast.Attribute) and names_device(node.attr):
            return KeyedDevice(dotted(node.value), node.attr)
        if isinstance(node, ast.Call) and node.args and all(map(_is_word, argument_values(node))):
            return KeyedDevice(dotted(node.func), "".join(map(ast.dump, argument_values(node))))
        return None


def _is_word(node: ast.AST) -> bool:
    return isinstance(node, ast.Constant) and isinstance(node.value, str)


def _parsed(text: str) -> ast.expr | None:
    try:
        return ast.parse(text, mode="eval").body
    except SyntaxError:
        return None
