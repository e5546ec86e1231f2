"""A walk over the statements of a scope with the names that are bound on every path: the transfer functions of definite assignment.

A state is an int, a bit for each name and for each name that is bound under the answer of a test; None for unreachable code.
"""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, Any, NamedTuple

from placefix.facts.program.ast_names import dotted, ends_process, every_parameter
from placefix.facts.program.ast_walk import children, walk
from placefix.facts.program.bound_names import Names, asked
from placefix.facts.program.edited_tree import UNEDITED
from placefix.facts.program.scopes import COMPREHENSIONS

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable

    from placefix.facts.program.edited_tree import Overlay
    from placefix.facts.program.scopes import Scopes

State = int | None


class SuiteTrace(NamedTuple):
    """How a suite was passed: the state before each of its statements and behind the last, and how many events there had been."""

    states: list[State]
    events: list[int]


class ScopeTrace:
    """The record of a walk through a scope: its suites by list, state at the start and hidden names; the events, in order."""

    def __init__(self) -> None:
        self.passes: dict[tuple[int, int, frozenset[str]], SuiteTrace] = {}
        self.events: list[tuple[str | ast.Name, int, int]] = []


class Walker:
    """Follows the statements of a scope with the state before each."""

    def __init__(
        self,
        scopes: Scopes,
        names: Names,
        tracked: frozenset[str],
        units: Collection[str],
        overlay: Overlay,
        called: Callable[[str], int],
        *,
        asserting: bool,
        base: ScopeTrace | None = None,
    ) -> None:
        """tracked: the names that are followed. units: functions and classes whose uses are recorded. called: the state added by a
        call of one of these. asserting: whether a name that a statement of the original file reads counts as bound afterwards.
        base: the trace of the same scope without the edits of `overlay`."""
        self.scopes = scopes
        self.names = names
        self.tracked = tracked
        self.units = units
        self.overlay = overlay
        self.called = called
        self.asserting = asserting
        self.base = base
        self.trace = ScopeTrace()
        self.unbound: dict[int, ast.Name] = {}
        self.uses: dict[str, int] = {}
        self.returned: State = None
        self._asserts = False  # whether a name that is read counts as bound afterwards
        self._loops: list[tuple[list[State], list[State]]] = []  # where it is left, where it goes on
        self._hidden: list[frozenset[str]] = []  # names of comprehensions and lambdas
        self._of_class: frozenset[str] = frozenset()  # names of the class body that is followed
        self._bases = 0

    # --- suites -------------------------------------------------------------------------

    def suite(self, nodes: list[ast.stmt], state: State) -> State:
        """The state behind the statements of a suite."""
        if state is None:
            return None
        if self.overlay is UNEDITED:
            return self._whole(nodes, state)
        known = self.base.passes.get((id(nodes), state, self._of_class)) if self.base is not None else None
        if known is None:
            for node in self.overlay.suite(nodes):
                state = self._statement(node, state)
                if state is None:
                    return None
            return state
        at = 0
        for change in self.overlay.changes(nodes):
            state = self._along(known, nodes, at, change.start, state)
            for node in change.statements:
                if state is not None:
                    state = self._statement(node, state)
            if state is None:
                return None
            at = change.stop
        return self._along(known, nodes, at, len(nodes), state)

    def _whole(self, nodes: list[ast.stmt], start: int) -> State:
        """The same where nothing is changed; how it was passed is kept."""
        passed = SuiteTrace([start], [len(self.trace.events)])
        self.trace.passes[(id(nodes), start, self._of_class)] = passed
        state: State = start
        for node in nodes:
            if state is not None:
                state = self._statement(node, state)
            passed.states.append(state)
            passed.events.append(len(self.trace.events))
        return state

    def _along(self, known: SuiteTrace, nodes: list[ast.stmt], at: int, stop: int, state: State) -> State:
        """Run the statements [at, stop) of a suite, none of which is edited; returns the state after them. As soon as the
        state equals the recorded state of the unedited suite, the recorded events are repeated instead."""
        while at < stop and state is not None:
            if state == known.states[at]:
                assert self.base is not None
                for event in self.base.events[known.events[at] : known.events[stop]]:
                    self._happens(*event)
                return known.states[stop]
            state = self._statement(nodes[at], state)
            at += 1
        return state

    def _statement(self, node: ast.stmt, state: int) -> State:
        stmt = self.overlay.statements.get(id(node), node)
        around, self._asserts = self._asserts, self._is_old(node, stmt)
        following: State = _STATEMENTS.get(stmt.__class__, Walker._plain)(self, stmt, state)
        self._asserts = around
        return following

    def _is_old(self, node: ast.stmt, stmt: ast.stmt) -> bool:
        """Whether the names that `stmt`, in the place of `node`, reads count as bound afterwards."""
        return self.asserting and stmt is node and id(node) not in self.overlay.new

    def _happens(self, what: str | ast.Name, state: int, depth: int) -> None:
        """A function is used (its name), the code goes elsewhere (``return``, ``break`` or ``continue`` of a loop `depth` deep),
        or a name is read that may not be bound (the node)."""
        if isinstance(what, ast.Name):
            self.unbound[id(what)] = what
        elif what == "return":
            self.returned = state if self.returned is None else self.returned & state
        elif what == "break" or what == "continue":
            if depth != len(self._loops):
                return  # of a loop in a part that is not followed again
            self._loops[-1][what == "continue"].append(state)
        else:
            self.uses[what] = self.uses[what] & state if what in self.uses else state
        if self.overlay is UNEDITED:
            self.trace.events.append((what, state, depth))

    # --- statements ---------------------------------------------------------------------

    def _plain(self, node: ast.stmt, state: int) -> State:
        state = self._exprs(children(node), state)
        return None if ends_process(node) else state

    def _assign(self, node: ast.Assign, state: int) -> State:
        return self._exprs((node.value, *node.targets), state)

    def _augmented(self, node: ast.AugAssign, state: int) -> State:
        if isinstance(node.target, ast.Name):
            state = self._read(node.target, state)
        return self._exprs((node.value, node.target), state)

    def _annotated(self, node: ast.AnnAssign, state: int) -> State:
        return state if node.value is None else self._expr(node.target, self._expr(node.value, state))

    def _leave(self, node: ast.Return | ast.Raise, state: int) -> State:
        state = self._exprs(children(node), state)
        if isinstance(node, ast.Return):
            self._happens("return", state, 0)
        return None

    def _break(self, node: ast.stmt, state: int) -> State:
        if self._loops:
            self._happens("continue" if isinstance(node, ast.Continue) else "break", state, len(self._loops))
        return None

    def _import(self, node: ast.Import | ast.ImportFrom, state: int) -> State:
        for alias in node.names:
            name = alias.asname or (alias.name.partition(".")[0] if isinstance(node, ast.Import) else alias.name)
            state = self._bind(name, state)
        return state

    def _function(self, node: ast.FunctionDef | ast.AsyncFunctionDef, state: int) -> State:
        given = (*node.decorator_list, *node.args.defaults, *(d for d in node.args.kw_defaults if d is not None))
        return self._bind(node.name, self._exprs(given, state))

    def _class(self, node: ast.ClassDef, state: int) -> State:
        state = self._exprs(node.decorator_list, state)
        self._bases += 1  # deriving a class does not run its base
        state = self._exprs([*node.bases, *node.keywords], state)
        self._bases -= 1
        around, self._of_class = self._of_class, self.scopes.locals(node)
        inside = self.suite(node.body, state)
        self._of_class = around
        return self._bind(node.name, state if inside is None else inside)

    def _if(self, node: ast.If, state: int) -> State:
        first, ends = node, []
        while True:
            yes, no = self._test(node.test, state)
            ends.append(self.suite(node.body, yes))
            other = self.overlay.suite(node.orelse)
            following = self.overlay.statements.get(id(other[0]), other[0]) if len(other) == 1 else None
            if not isinstance(following, ast.If) or no is None:
                ends.append(self.suite(node.orelse, no))
                break
            node, state, self._asserts = following, no, self._is_old(other[0], following)
        joined = join(*ends)
        return joined if joined is None else joined | self._learned(first, ends[0], join(*ends[1:]), joined)

    def _learned(self, node: ast.If, yes: State, no: State, joined: int) -> int:
        """The bits that the answer of an ``if`` implies after it."""
        learned = 0
        for state, answer in ((yes, True), (no, False)):
            gained = self.names.among(state & ~joined) if state is not None else []
            if gained:
                text, said = asked(node.test, answer)
                read = self.names.read_by(text, node.test)
                if any(
                    isinstance(p, ast.Name) and p.id in read and not isinstance(p.ctx, ast.Load)
                    for s in node.body
                    for p in walk(s)
                ):
                    continue
                for name in gained:
                    learned |= self.names.under(text, said, name)
        return learned

    def _for(self, node: ast.For | ast.AsyncFor, state: int) -> State:
        state = self._expr(node.iter, state)
        return self._loop(node, state, lambda start: (self._expr(node.target, start), start))

    def _while(self, node: ast.While, state: int) -> State:
        return self._loop(node, state, lambda start: self._test(node.test, start))

    def _loop(self, node: Any, state: int, head: Any) -> State:
        breaks: list[State] = []
        start = state
        while True:
            breaks = []
            goes_on: list[State] = []
            self._loops.append((breaks, goes_on))
            inside, left = head(start)
            again = join(self.suite(node.body, inside), *goes_on)
            self._loops.pop()
            back = start if again is None else start & again
            if back == start:
                break
            start = back  # something that was bound is not when it comes round
        if not isinstance(node, ast.While) and again is not None and left is not None:
            left = left & again
        return join(self.suite(node.orelse, left), *breaks)

    def _with(self, node: ast.With | ast.AsyncWith, state: int) -> State:
        swallows = False
        for item in node.items:
            state = self._expr(item.context_expr, state)
            swallows = swallows or (
                isinstance(item.context_expr, ast.Call)
                and dotted(item.context_expr.func).rpartition(".")[2] in ("suppress", "raises")
            )
            if item.optional_vars is not None:
                state = self._expr(item.optional_vars, state)
        end = self.suite(node.body, state)
        return join(end, state) if swallows else end

    def _try(self, node: ast.Try, state: int) -> State:
        end = self.suite(node.body, state)
        gone = {
            part.id
            for stmt in node.body
            for part in walk(stmt)
            if isinstance(part, ast.Name) and isinstance(part.ctx, ast.Del)
        }
        failed = self.names.without(gone, state)
        ends = [self.suite(node.orelse, end) if end is not None else None]
        for handler in node.handlers:
            inside: State = failed
            if handler.type is not None:
                inside = self._expr(handler.type, failed)
            if handler.name and inside is not None:
                inside = self._bind(handler.name, inside)
            after = self.suite(handler.body, inside)
            if handler.name and after is not None and not self._is_hidden(handler.name):
                after &= ~self.names.bit(handler.name)  # Python deletes it
            ends.append(after)
        joined = join(*ends)
        if node.finalbody:
            outside = self.suite(node.finalbody, failed)
            if outside is None or joined is None:
                return None
            joined = self.suite(node.finalbody, joined)
        return joined

    def _match(self, node: Any, state: int) -> State:
        left: State = self._expr(node.subject, state)
        ends: list[State] = []
        for case in node.cases:
            if left is None:
                break
            inside: State = left
            for part in walk(case.pattern):
                captured = getattr(part, "name", None) or getattr(part, "rest", None)
                if isinstance(captured, str) and inside is not None:
                    inside = self._bind(captured, inside)
            if case.guard is not None and inside is not None:
                inside = self._test(case.guard, inside)[0]
            ends.append(self.suite(case.body, inside))
            if case.guard is None and getattr(case.pattern, "pattern", 0) is None:
                left = None  # it takes everything
        return join(left, *ends)

    def _assert(self, node: ast.Assert, state: int) -> State:
        return self._test(node.test, state)[0]

    # --- expressions --------------------------------------------------------------------

    def _test(self, test: ast.expr, state: int) -> tuple[State, State]:
        """The states in which a test is true and in which it is false."""
        if isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not):
            yes, no = self._test(test.operand, state)
            return no, yes
        if isinstance(test, ast.Constant):
            return (state, None) if test.value else (None, state)
        if isinstance(test, ast.BoolOp):
            both = isinstance(test.op, ast.And)
            going: State = state
            out: list[State] = []
            for part in test.values:
                if going is None:
                    break
                yes, no = self._test(part, going)
                going = yes if both else no
                out.append(no if both else yes)
            left = join(*out)
            going, left = self._under(test, both, going), self._under(test, not both, left)
            return (going, left) if both else (left, going)
        after = self._expr(test, state)
        return self._under(test, True, after), self._under(test, False, after)

    def _under(self, test: ast.expr, answer: bool, state: State) -> State:
        """A state with the names that are bound if a test had this answer."""
        if state is None or not self.names.tests:
            return state
        return state | self.names.known(*asked(test, answer), state)

    def _exprs(self, parts: Iterable[ast.AST], state: int) -> int:
        """The state after expressions, in their order."""
        for part in parts:
            state = self._expr(part, state)
        return state

    def _expr(self, node: ast.AST, state: int) -> int:
        todo: list[Any] = [node]
        while todo:
            part = todo.pop()
            cls = part.__class__
            handler = _PARTS.get(cls)
            if handler is not None:
                state = handler(self, part, state)
                if cls is ast.Attribute:
                    todo.append(part.value)
            elif cls is not ast.Constant:
                if cls is ast.Call and isinstance(part.func, ast.Name) and part.func.id in self.units:
                    todo.append(_CallEvent(part.func.id))
                todo += children(part)[::-1]
        return state

    def _name(self, node: ast.Name, state: int) -> int:
        if isinstance(node.ctx, ast.Load):
            return self._read(node, state)
        if isinstance(node.ctx, ast.Del):
            return self._bind(node.id, self._read(node, state)) & ~self.names.bit(node.id)
        return self._bind(node.id, state)

    def _attribute(self, node: ast.Attribute, state: int) -> int:
        return state if isinstance(node.ctx, ast.Load) else self._forget(dotted(node), state)

    def _named(self, node: ast.NamedExpr, state: int) -> int:
        return self._bind(node.target.id, self._expr(node.value, state))

    def _lambda(self, node: ast.Lambda, state: int) -> int:
        state = self._exprs((*node.args.defaults, *(d for d in node.args.kw_defaults if d is not None)), state)
        self._hide((a.arg for a in every_parameter(node.args)), [node.body], state)
        return state

    def _comprehension(self, node: Any, state: int) -> int:
        state = self._expr(node.generators[0].iter, state)
        own = [n.id for g in node.generators for n in walk(g.target) if isinstance(n, ast.Name)]
        self._hide(own, [p for p in children(node) if not isinstance(p, ast.comprehension)], state)
        tests = [p for g in node.generators for p in (g.target, *g.ifs)]
        self._hide(own, tests + [g.iter for g in node.generators[1:]], state)
        return state

    def _call(self, node: _CallEvent, state: int) -> int:
        return state | self.called(node.name)

    def _branching(self, node: ast.BoolOp | ast.IfExp, state: int) -> int:
        if isinstance(node, ast.IfExp):
            yes, no = self._test(node.test, state)
            arms = ((node.body, yes), (node.orelse, no))
            ends = [self._expr(arm, given) for arm, given in arms if given is not None]
        else:
            ends = [given for given in self._test(node, state) if given is not None]
        joined = join(*ends)
        return state if joined is None else joined

    def _hide(self, names: Iterable[str], parts: list[Any], state: int) -> None:
        """Read expressions that have names of their own. They do not see the names of a class around them."""
        around, self._of_class = self._of_class, frozenset()
        self._hidden.append(frozenset(names))
        for part in parts:
            self._expr(part, state)
        self._hidden.pop()
        self._of_class = around

    # --- names --------------------------------------------------------------------------

    def _is_hidden(self, name: str) -> bool:
        return name in self._of_class or any(name in names for names in self._hidden)

    def _read(self, node: ast.Name, state: int) -> int:
        name = node.id
        if (name not in self.tracked and name not in self.units) or self._is_hidden(name):
            return state
        if name in self.units and not self._bases:
            self._happens(name, state, 0)
        if name in self.tracked and not state & self.names.bit(name):
            self._happens(node, state, 0)
            if self._asserts:
                return state | self.names.bit(name)
        return state

    def _bind(self, name: str, state: int) -> int:
        if self._is_hidden(name):
            return state
        state = self._forget(name, state)
        return state | self.names.bit(name) if name in self.tracked else state

    def _forget(self, text: str, state: int) -> int:
        """A state without the facts from tests that read a name that is set now."""
        return state & ~self.names.by_tests_of(text)


class _CallEvent(NamedTuple):
    """A function of the scope was called."""

    name: str


def join(*states: State) -> State:
    """The names bound on all of these paths; None if all are unreachable."""
    found: State = None
    for state in states:
        if state is not None:
            found = state if found is None else found & state
    return found


_STATEMENTS: dict[type[ast.AST], Any] = {
    ast.Assign: Walker._assign,
    ast.AugAssign: Walker._augmented,
    ast.AnnAssign: Walker._annotated,
    ast.Return: Walker._leave,
    ast.Raise: Walker._leave,
    ast.Break: Walker._break,
    ast.Continue: Walker._break,
    ast.Import: Walker._import,
    ast.ImportFrom: Walker._import,
    ast.FunctionDef: Walker._function,
    ast.AsyncFunctionDef: Walker._function,
    ast.ClassDef: Walker._class,
    ast.If: Walker._if,
    ast.For: Walker._for,
    ast.AsyncFor: Walker._for,
    ast.While: Walker._while,
    ast.With: Walker._with,
    ast.AsyncWith: Walker._with,
    ast.Try: Walker._try,
    ast.Match: Walker._match,
    ast.Assert: Walker._assert,
}
if hasattr(ast, "TryStar"):
    _STATEMENTS[ast.TryStar] = Walker._try
_PARTS: dict[type, Any] = {
    ast.Name: Walker._name,
    ast.Attribute: Walker._attribute,
    ast.BoolOp: Walker._branching,
    ast.IfExp: Walker._branching,
    ast.NamedExpr: Walker._named,
    ast.Lambda: Walker._lambda,
    **dict.fromkeys(COMPREHENSIONS, Walker._comprehension),
    _CallEvent: Walker._call,
}
