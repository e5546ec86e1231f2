"""Arguments of a constructor that the object keeps: ``self.config = config``, so that its methods may read ``self.config.device``."""

from __future__ import annotations

from typing import TYPE_CHECKING

from placefix.facts.naming import names_settings
from placefix.facts.program.ast_names import dotted, parameters
from placefix.facts.program.tree import dominates

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from placefix.facts.program.expression_index import AttributeWrite, Index
    from placefix.facts.program.tree import Scope, Stmt


class ConstructorArguments:
    """The devices in arguments that objects keep.

    parts: the spelling of each, ``self.config.device``, with the assignments of the attribute.
    """

    def __init__(self, index: Index, placed_on: Mapping[str, Iterable[Scope]]) -> None:
        """placed_on: the texts that are a device of a move or a factory, with the functions where they are."""
        self._index = index
        self.parts: dict[str, list[AttributeWrite]] = {}
        for text, users in placed_on.items():
            root, _, rest = text.partition(".")
            if not rest or not names_settings(rest.rpartition(".")[0] or root):
                continue
            for user in users:
                if user.is_function and root in parameters(user.function.args) and not index.binding(user, root):
                    self._add(user, root, rest)

    def _add(self, user: Scope, parameter: str, rest: str) -> None:
        for attribute, writes in self._index.writes.items():
            value = writes[0].value
            if len(writes) == 1 and writes[0].stmt.scope is user and value is not None and dotted(value) == parameter:
                self.parts.setdefault(f"{attribute}.{rest}", []).append(writes[0])

    def is_kept(self, text: str, method: Scope) -> bool:
        """Whether `text` is a device in an argument of the constructor, which keeps it before a method runs."""
        return any(
            write.stmt.scope.parent is method.parent and is_set_first(self._index, method, write.stmt.scope, write.stmt)
            for write in self.parts.get(text, ())
        )


def is_set_first(index: Index, method: Scope, constructor: Scope, setting: Stmt) -> bool:
    """Whether a constructor always sets an attribute before a method runs."""
    if constructor.name not in ("__init__", "__post_init__", "setup") or setting.parent is not None:
        return False
    return not is_called_before(index, method, constructor, setting)


def is_called_before(index: Index, method: Scope, constructor: Scope, stmt: Stmt) -> bool:
    """Whether a constructor may call a method, by its name, before a statement of the constructor has run."""
    calls = (call for _, call in index.read(f"self.{method.name}") if call.scope is constructor)
    return not all(dominates(stmt, call) for call in calls)
