"""Optimizers with the parameters that a module had before it was sharded."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, NamedTuple

from placefix.facts import torch_api as api
from placefix.facts.context import FileAnalysis, requires
from placefix.facts.finding import Finding
from placefix.facts.interpret.flow import Flow
from placefix.facts.program.ast_names import is_literal

if TYPE_CHECKING:
    from collections.abc import Iterator

    from placefix.facts.interpret.values import Event


class Stale(NamedTuple):
    """An optimizer of parameters that are replaced. row: the 1-based line of the call that shards; shard: its name."""

    finding: Finding
    shard: str
    row: int


class ShardedParameters(FileAnalysis):
    """PF108 for one file."""

    flow = requires(Flow)

    def stale(self) -> Iterator[Stale]:
        """The optimizers that are built before a module of theirs is sharded, and step after it."""
        if "param_group" in self.context.source.text:
            return  # they may get the new parameters
        seen = set()
        for shard in self.flow.index.of_kind("wrap"):
            if (shard.what != api.FSDP and shard.what not in api.SHARDS) or _keeps_parameters(shard):
                continue
            for made in self.flow.index.of_kind("optimizer"):
                if made.node not in seen and self._is_stale(made, shard):
                    seen.add(made.node)
                    span = self.context.span(made.node)
                    yield Stale(Finding(span), shard.what.rpartition(".")[2], shard.node.lineno)

    def _is_stale(self, made: Event, shard: Event) -> bool:
        root = shard.obj.root()
        if made.order > shard.order or not made.obj.proven or all(member.root() is not root for member in made.args):
            return False
        return any(e.what == "step" and e.order > shard.order for e in self.flow.index.of_object("state", made.obj))


def _keeps_parameters(shard: Event) -> bool:
    """Whether FullyShardedDataParallel may keep the parameters of the module as objects."""
    given = (
        [k for k in shard.node.keywords if k.arg in (None, "use_orig_params")]
        if isinstance(shard.node, ast.Call)
        else []
    )
    return any(not is_literal(k.value, False) for k in given)
