"""Collective calls that only some processes make."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, NamedTuple

from placefix.facts import premises
from placefix.facts import torch_api as api
from placefix.facts.context import FileAnalysis, requires
from placefix.facts.finding import Finding
from placefix.facts.naming import mentions_process_count
from placefix.facts.program.ast_names import called_name, is_literal
from placefix.facts.program.ast_walk import walk
from placefix.facts.program.callees import code_of
from placefix.facts.program.statement_forms import are_exclusive
from placefix.rules.distributed.averaged_gradients import AveragedGradients
from placefix.rules.distributed.ranks import FIRST, OTHERS, Ranks

if TYPE_CHECKING:
    from collections.abc import Iterator

    from placefix.facts.program.tree import Scope, Stmt
    from placefix.rules.distributed.ranks import Processes

_GROUPS = frozenset(("destroy_process_group", "init_process_group"))
_POINT_TO_POINT = frozenset(("send", "recv", "isend", "irecv")) | _GROUPS
# Calls that run no code of the program.
_HARMLESS = frozenset(
    (
        "print",
        "len",
        "str",
        "int",
        "float",
        "format",
        "join",
        "exit",
        "info",
        "warning",
        "debug",
        "error",
        "tqdm",
        "time",
        "dict",
        "list",
    )
)
# The position of `group` among the arguments, by the start of the name.
_GROUP_AT = (
    ("barrier", 0), ("monitored_barrier", 0), ("all_reduce", 2), ("reduce_scatter", 3), ("reduce", 3), ("broadcast", 2), ("all_gather", 2),
    ("gather", 3), ("scatter", 3), ("all_to_all_single", 4), ("all_to_all", 2), ("new_group", 99),
)  # fmt: skip
_MAX_DEPTH = 3


class Partial(NamedTuple):
    """A collective that some processes skip. name: its own; function: the function that makes it, "" for the call itself; first: only the
    process of rank 0 makes it. paired: the others may make one in the same function."""

    finding: Finding
    name: str
    function: str
    first: bool
    paired: bool


class PartialCollectives(FileAnalysis):
    """PF415 for one file."""

    ranks = requires(Ranks)
    gradients = requires(AveragedGradients)

    def found(self) -> Iterator[Partial]:
        """The collectives of all processes under a test of the rank, where no other process of the function can be at another one."""
        if not any(name is not None and api.is_collective(name) for _, _, name in self.context.index.named) and (
            not self.context.index.called("backward") or not self.gradients.exist
        ):
            return
        by_scope: dict[Scope, list[tuple[ast.Call, Stmt, Processes]]] = {}
        for call, stmt in self.context.index.calls:
            if called_name(call) not in _HARMLESS:
                running = self.ranks.running(stmt)
                if running.most in (FIRST, OTHERS) and not self._is_elsewhere(call, stmt):
                    by_scope.setdefault(stmt.scope, []).append((call, stmt, running))
        made = [one for calls in by_scope.values() for one in self._in_function(calls)]
        if len({one.first for one in made}) == 1:  # else functions may be pairs: one waits, the other lets go
            yield from (one for one in made if not one.paired)

    def _is_elsewhere(self, call: ast.Call, stmt: Stmt) -> bool:
        """Whether a call is in a lambda, or under a test of the number of processes, which may be one there."""
        if any(isinstance(part, ast.Lambda) and any(inner is call for inner in walk(part)) for part in walk(stmt.node)):
            return True
        tests = (owner.node.test for owner in stmt.ancestors() if isinstance(owner.node, ast.If))
        return any(mentions_process_count(self.context.text(test)) for test in tests)

    def _in_function(self, calls: list[tuple[ast.Call, Stmt, Processes]]) -> Iterator[Partial]:
        for call, stmt, running in calls:
            made = self._collective(call, stmt, 0)
            if made is None:
                continue
            function = "" if made is call else called_name(call)
            doubt = premises.RANK_BY_NAME(name=running.name) if running.name else None
            finding = Finding(self.context.span(call), doubt=doubt)
            paired = any(self._may_meet(other, running) for other in calls) or self._is_in_other_arm(stmt, running)
            yield Partial(finding, called_name(made), function, running.most == FIRST, paired)

    def _is_in_other_arm(self, made: Stmt, running: Processes) -> bool:
        """Whether the other arm of a test around a collective has one as well, which may be under a further test:
        ``if not distributed or rank == 0: … if distributed: broadcast(x, 0)``."""
        return any(
            name is not None
            and api.is_collective(name)
            and stmt.scope is made.scope
            and are_exclusive(made, stmt)
            and self.ranks.running(stmt).most != running.most
            for _, stmt, name in self.context.index.named
        )

    def _may_meet(self, other: tuple[ast.Call, Stmt, Processes], running: Processes) -> bool:
        """Whether processes that skip a collective may make another one in this call, or run code that is not known."""
        call, stmt, others = other
        if others.most == running.most:
            return False
        name = stmt.scope.tree.qualname(call.func, stmt.scope) or ""
        is_group = name.rpartition(".")[2] in _GROUPS  # every process starts and ends its group for itself
        return not name.startswith("torch.") or (api.is_collective(name) and not is_group)

    def _collective(self, call: ast.Call, at: Stmt, depth: int) -> ast.Call | None:
        """The collective of all processes that a call is, or that the function it runs makes in any case; None for other calls."""
        if self.gradients.average(call, at):
            return call
        scope = at.scope
        name = scope.tree.qualname(call.func, scope)
        if name is not None and api.is_collective(name):
            return call if _is_of_all(call, name) and name.rpartition(".")[2] not in _POINT_TO_POINT else None
        callee = code_of(call, scope, None) if depth < _MAX_DEPTH else None
        if callee is None or callee.tree is not self.context.tree or callee.name == "__init__":
            return None
        for stmt in callee.body.stmts:
            if any(isinstance(inner, ast.Return) for inner in ast.walk(stmt.node)):
                return None
            if isinstance(stmt.node, ast.Expr) and isinstance(stmt.node.value, ast.Call):
                made = self._collective(stmt.node.value, stmt, depth + 1)
                if made is not None:
                    return made
        return None


def _is_of_all(call: ast.Call, name: str) -> bool:
    """Whether no group is given to a collective, or the None that means all processes."""
    short = name.rpartition(".")[2]
    at = next((position for start, position in _GROUP_AT if short.startswith(start)), 0)
    given = [k.value for k in call.keywords if k.arg in (None, "group", "use_local_synchronization")] + call.args[
        at : at + 1
    ]
    starred = any(isinstance(argument, ast.Starred) for argument in call.args)
    return not starred and all(is_literal(value, None) for value in given)
