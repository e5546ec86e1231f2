"""Calls of the file's functions and classes by other files of the repository.

A function that nothing in its file calls is run with the arguments that other files give it, as it would be if they were one file.
Each of these files is run once, and nothing is recorded there but the calls.
"""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING, NamedTuple

from placefix.facts.interpret.calls import Calls
from placefix.facts.interpret.statements import execute
from placefix.facts.interpret.values import Frame, Obj
from placefix.facts.program.outside_callers import references

if TYPE_CHECKING:
    import ast
    from collections.abc import Iterator

    from placefix.facts.interpret.interpreter_base import Arguments
    from placefix.facts.interpret.state import State
    from placefix.facts.interpret.values import ClassInfo
    from placefix.facts.program.repository import Definition
    from placefix.facts.program.tree import Scope, Tree
    from placefix.source import Source

MAX_CALLS = 8  # of one function


class OutsideCall(NamedTuple):
    """A call by another file, and the state in which it happens."""

    node: ast.Call
    args: Arguments
    state: State


class OutsideCalls(Calls):
    """Runs functions and constructors as other files of the repository call them."""

    def __init__(self, tree: Tree, source: Source, infos: dict[Scope, ClassInfo] | None) -> None:
        super().__init__(tree, source, infos)
        self.module_state: State = self.state  # at the end of the file
        self._callers: dict[Tree, State] = {}  # the files that were run, each with the state at its end
        self._noted: dict[str, list[OutsideCall]] = {}  # the calls, by the name of the function or class

    def call_abroad(self, found: Definition, node: ast.Call, args: Arguments) -> Obj | None:
        """The result of a call of another file's code; where a file is run for its calls, also note those of this file's functions."""
        home, there = self.own.home, found.tree.home
        if self._callers and home is not None and there is not None and there.path == home.path:
            if found.scope is not None and self.tree is not found.tree:
                self._noted.setdefault(found.scope.name, []).append(OutsideCall(node, args, self.state.copy()))
        return super().call_abroad(found, node, args)

    def run_uncalled(self, function: Scope) -> None:
        """Run a function that nothing in the file calls: as other files call it, else with unknown arguments."""
        calls = self.calls_of(function)
        for call in calls:
            self.state = call.state.copy()
            self.call_scope(function, None, call.node, call.args)
        if not calls:
            self.state = self.module_state.copy()
            self.call_scope(function)

    def calls_of(self, scope: Scope) -> list[OutsideCall]:
        """The calls of a function or class by other files; none where one is not known, or there are too many."""
        home, name = self.own.home, scope.name
        named = references(home, name) if home is not None and scope.parent is self.own.root else {}
        for tree in dict.fromkeys(around.tree for around in named.values()):
            self._run_caller(tree)
        for reference, around in named.items():
            if reference not in self._called(name) and around.is_function and around.parent is around.tree.root:
                self._run_around(around)
        calls = self._noted.get(name, []) if named else []
        return calls if len(calls) <= MAX_CALLS and self._called(name).issuperset(named) else []

    def _called(self, name: str) -> set[ast.expr]:
        """The expressions that call a function or class of the file, in the files that were run."""
        return {call.node.func for call in self._noted.get(name, ())}

    def _run_caller(self, tree: Tree) -> None:
        """Run a file that calls functions of this one, once."""
        if tree in self._callers:
            return
        self.state = self._callers[tree] = self.module_state.copy()
        with self._all_lines(), self.inside_of(tree, None):
            root = tree.root
            self.scopes_active.append(root)
            self.returns.append([])
            self.stack.append(Frame(self.envs[root], root.body.stmts[0]))
            execute(self, root.body)
            self.stack.pop()
            self.returns.pop()
            self.scopes_active.pop()
        self._callers[tree] = self.state

    def _run_around(self, function: Scope) -> None:
        """Run a function that calls one of this file, and that its file does not reach, with unknown arguments."""
        self.state = self._callers[function.tree].copy()
        with self._all_lines():
            self.call_scope(function)

    @contextmanager
    def _all_lines(self) -> Iterator[None]:
        """Let the code that is run follow calls as a file's own code does, and take nothing of this file's share."""
        crossed, self.crossed = self.crossed, 0
        yield
        self.crossed, self.state.dead = crossed, ""
