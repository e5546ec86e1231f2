"""Backward passes through a DistributedDataParallel, which averages the gradients of all processes."""

from __future__ import annotations

import ast
from functools import cached_property
from typing import TYPE_CHECKING

from placefix.facts.context import FileAnalysis
from placefix.facts.interpret.flow import Flow
from placefix.facts.program.ast_names import called_name
from placefix.facts.program.ast_walk import walk
from placefix.rules.ordering.process_groups import ProcessGroups

if TYPE_CHECKING:
    from placefix.facts.program.tree import Scope, Stmt

_LEAVES_GRAPH = frozenset(("detach", "item", "tolist", "numpy"))
_MAX_DEPTH = 6


class AveragedGradients(FileAnalysis):
    """The backward passes of one file in which all processes take part."""

    @property
    def exist(self) -> bool:
        """Whether the file may have such a pass: it calls a DistributedDataParallel."""
        return bool(self._outputs)

    @cached_property
    def _outputs(self) -> set[ast.expr]:
        """The calls of a DistributedDataParallel, on every path, in a run of several processes."""
        calls = {e for e in self.context.get(ProcessGroups).parallel_calls if not e.obj.maybe}
        others = {e.node for e in self.context.get(Flow).index.of_kind("call") if calls and e not in calls}
        return {e.node for e in calls} - others

    def average(self, call: ast.Call, stmt: Stmt) -> bool:
        """Whether a call is the backward pass of a loss that a DistributedDataParallel computed, and not inside its `no_sync()`."""
        if not isinstance(call.func, ast.Attribute) or call.func.attr != "backward":
            return False
        blocks = [outer.node for outer in stmt.ancestors() if isinstance(outer.node, (ast.With, ast.AsyncWith))]
        managers = [part for block in blocks for item in block.items for part in walk(item.context_expr)]
        if any(isinstance(part, ast.Call) and called_name(part) == "no_sync" for part in managers):
            return False
        return self._is_computed(call.func.value, stmt.scope, 0)

    def _is_computed(self, value: ast.expr, scope: Scope, depth: int) -> bool:
        """Whether an expression is computed from the output of such a call, whatever path the function takes, with its graph."""
        if any(isinstance(part, ast.Call) and called_name(part) in _LEAVES_GRAPH for part in walk(value)):
            return False
        for part in walk(value):
            if part in self._outputs:
                return True
            if isinstance(part, ast.Name) and depth < _MAX_DEPTH:
                writes = self.context.index.values(scope, part.id)
                known = [write.value for write in writes if write.value is not None]
                if known and len(known) == len(scope.bindings.get(part.id, ())):
                    if all(self._is_computed(one, scope, depth + 1) for one in known):
                        return True
        return False
