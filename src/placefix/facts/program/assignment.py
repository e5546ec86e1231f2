"""Definite assignment: whether a name is bound on every path to where it is read, in a file as it stands or as edits would leave it.

Which scope a name belongs to is what Python's `symtable` says; the order is the flow of the statements of that scope.
A test that was asked before is asked again with the same answer (``if cuda: device = …``, ``if cuda: x.to(device)``).
A function runs where its name is read: from there on what it reads of the scope around it has to be bound.
"""

from __future__ import annotations

import ast
import builtins
import symtable
import sys
from typing import TYPE_CHECKING, Any

from placefix.facts.program.children import children, walk
from placefix.facts.program.names import dotted, every_parameter
from placefix.lazy import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

# What is bound, and what is bound under a test: (the test, its answer, the name). None: nothing comes here.
State = frozenset[Any] | None
Definition = ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef
ScopeNode = ast.Module | Definition

_DEFINITIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
_COMPREHENSIONS = (ast.ListComp, ast.SetComp, ast.GeneratorExp, ast.DictComp)
_EXITS = frozenset({"exit", "quit", "sys.exit", "os._exit"})
# What every module has, beyond the builtins.
_MODULE = frozenset({"__name__", "__file__", "__doc__", "__spec__", "__loader__", "__package__", "__builtins__"})


class Overlay(NamedTuple):
    """What edits make of a tree: by the identity of a suite's list its new statements, by that of a statement the one in its place."""

    suites: dict[int, list[ast.stmt]]
    statements: dict[int, ast.stmt]
    binds: dict[ast.AST, frozenset[str]]  # scope -> names that new statements bind in it
    new: frozenset[int]  # the statements that are new, or stand elsewhere

    def reads(self, node: ast.AST, name: str) -> bool:
        """Whether a name is read somewhere in a function or class."""
        todo = [node]
        while todo:
            part = todo.pop()
            if isinstance(part, ast.Name) and part.id == name and _loads(part):
                return True
            changed = [suite for suite in suites(part) if id(suite) in self.suites]
            old = {id(stmt) for suite in changed for stmt in suite}
            below = [child for child in children(part) if id(child) not in old]
            below += (stmt for suite in changed for stmt in self.suites[id(suite)])
            todo += (self.statements.get(id(child), child) for child in below)
        return False


AS_IT_STANDS = Overlay({}, {}, {}, frozenset())


class Flow(NamedTuple):
    """What came of following the statements of one scope.

    unbound: the reads of names that may not be bound, by identity. uses: what is bound wherever a function or class of the
    scope may be run. end: what is bound when all of it has run.
    """

    unbound: dict[int, ast.Name]
    uses: dict[str, frozenset[Any]]
    end: State


def _is_of_comprehensions(scope: ast.AST, name: str) -> bool:
    """Whether only comprehensions bind a name in a scope: it is theirs, though `symtable` says from 3.12 on that it is the scope's."""
    if sys.version_info < (3, 12):
        return False
    theirs = {
        id(target)
        for node in walk(scope)
        if isinstance(node, _COMPREHENSIONS)
        for generator in node.generators
        for target in walk(generator.target)
        if isinstance(target, ast.Name) and target.id == name
    }
    if not theirs:
        return False
    for node in walk(scope):
        if isinstance(node, ast.Name) and node.id == name and id(node) not in theirs and not _loads(node):
            return False
        if isinstance(node, ast.alias) and name == (node.asname or node.name.partition(".")[0]):
            return False
        if name in (getattr(node, "name", None), getattr(node, "rest", None)) and node is not scope:
            return False  # definitions, handlers, patterns
    return True


class Assignment:
    """Where the names of one file are bound. Raises SyntaxError where the file cannot be compiled."""

    def __init__(self, tree: ast.Module, text: str) -> None:
        self.tree = tree
        self.parents: dict[ast.AST, ScopeNode] = {}
        self.units: dict[ast.AST, dict[str, list[Definition]]] = {tree: {}}
        self._tables: dict[ast.AST, symtable.SymbolTable] = {tree: symtable.symtable(text, "<text>", "exec")}
        self._mentioned: dict[ast.AST, frozenset[str]] = {}
        self._flows: dict[tuple[ast.AST, frozenset[str]], Flow] = {}
        self._entries: dict[tuple[ast.AST, frozenset[str]], dict[str, frozenset[Any]]] = {}
        self._pair()
        self.star = any(
            isinstance(node, ast.ImportFrom) and node.names[0].name == "*"
            for node in _statements(tree.body)
            if node.__class__ is ast.ImportFrom
        )

    def _pair(self) -> None:
        """Find the table of each function and class."""
        tables: dict[tuple[str, int], list[symtable.SymbolTable]] = {}
        todo = [self._tables[self.tree]]
        while todo:
            table = todo.pop()
            for child in table.get_children():
                if child.get_type() in ("function", "class"):
                    tables.setdefault((child.get_name(), child.get_lineno()), []).append(child)
                todo.append(child)
        scopes: list[ScopeNode] = [self.tree]
        while scopes:
            scope = scopes.pop()
            for node in _statements(scope.body):
                if isinstance(node, _DEFINITIONS):
                    found = tables.get((node.name, node.lineno))
                    if found:
                        self._tables[node] = found.pop(0)
                    self.parents[node] = scope
                    self.units.setdefault(scope, {}).setdefault(node.name, []).append(node)
                    scopes.append(node)

    # --- scopes -------------------------------------------------------------------------

    def owner(self, scope: ast.AST, name: str, overlay: Overlay = AS_IT_STANDS) -> ast.AST | None:
        """The scope that `name` belongs to where code directly in `scope` reads it; None for what the file binds nowhere."""
        here: ast.AST | None = scope
        while here is not None and here is not self.tree:
            if here is scope or not isinstance(here, ast.ClassDef):
                if self.is_global(here, name):
                    break
                if name in overlay.binds.get(here, ()) or self._is_local(here, name):
                    return here
            here = self.parents.get(here)
        top = self._tables[self.tree]
        if name in overlay.binds.get(self.tree, ()):
            return self.tree
        try:
            symbol = top.lookup(name)
        except KeyError:
            return self.tree if self._set_by_functions(name) else None
        return self.tree if symbol.is_assigned() or symbol.is_imported() or self._set_by_functions(name) else None

    def is_global(self, scope: ast.AST, name: str) -> bool:
        """Whether a function or class says that a name is global."""
        try:
            return scope is not self.tree and self._tables[scope].lookup(name).is_declared_global()
        except KeyError:
            return False

    def _is_local(self, scope: ast.AST, name: str) -> bool:
        try:
            symbol = self._tables[scope].lookup(name)
        except KeyError:
            return False
        return symbol.is_parameter() or (symbol.is_local() and not _is_of_comprehensions(scope, name))

    def _set_by_functions(self, name: str) -> bool:
        return any(self.is_global(s, name) and self._tables[s].lookup(name).is_assigned() for s in self._tables)

    def unit(self, scope: ast.AST, owner: ast.AST) -> Definition | None:
        """The function or class directly in `owner` that holds `scope`."""
        while scope in self.parents:
            above = self.parents[scope]
            if above is owner:
                return scope  # type: ignore[return-value]
            scope = above
        return None

    def runs_in(self, scope: ast.AST, owner: ast.AST) -> bool:
        """Whether the code directly in `scope` is followed with that of `owner`: it is the same, a class in it, or what may
        bind its names."""
        if any(s.is_declared_global() for s in self._tables[scope].get_symbols()):
            return True
        while scope is not owner and isinstance(scope, ast.ClassDef):
            scope = self.parents[scope]
        return scope is owner

    def mentioned(self, scope: ast.AST) -> frozenset[str]:
        """Every name that the code of a function or class, what stands in it included, has from around it."""
        if scope not in self._mentioned:
            found: set[str] = set()
            todo = [self._tables[scope]] if scope in self._tables else []
            while todo:
                table = todo.pop()
                found.update(s.get_name() for s in table.get_symbols() if s.is_global() or s.is_free())
                todo += table.get_children()
            self._mentioned[scope] = frozenset(found)
        return self._mentioned[scope]

    def reads(self, scope: ast.AST, name: str) -> bool:
        """Whether the code directly in a scope reads a name that it does not bind."""
        try:
            symbol = self._tables[scope].lookup(name)
        except KeyError:
            return False
        return symbol.is_referenced()

    def is_known(self, name: str) -> bool:
        """Whether a name that the file binds nowhere may be read all the same: a builtin, or what comes from a star import."""
        return self.star or name in _MODULE or hasattr(builtins, name)

    def is_read(self, name: str) -> bool:
        """Whether some code of the file reads a name as a global one."""
        return name in self.mentioned(self.tree)

    # --- flows --------------------------------------------------------------------------

    def flow(self, scope: ast.AST, names: frozenset[str], overlay: Overlay = AS_IT_STANDS) -> Flow:
        """Follow the statements of `scope` for those `names` that are its own. As the file stands every read is
        judged alone; with edits, what a statement that was there has read is taken to be bound from there on."""
        if overlay is not AS_IT_STANDS:
            return self._follow(scope, names, overlay, self._parameters(scope))
        names = frozenset(n for n in names if self.owner(scope, n) is scope)
        slot = (scope, names)
        if slot not in self._flows:
            self._flows[slot] = self._follow(scope, names, overlay, self._parameters(scope))
        return self._flows[slot]

    def entries(
        self, owner: ast.AST, names: frozenset[str], overlay: Overlay = AS_IT_STANDS
    ) -> dict[str, frozenset[Any]]:
        """For each function and class directly in `owner`, what of `names` is bound whenever its code runs, as far as calls are seen."""
        slot = (owner, names)
        if overlay is AS_IT_STANDS and slot in self._entries:
            return self._entries[slot]
        flow = self.flow(owner, names, overlay)
        units = self.units.get(owner, {})
        states = dict(flow.uses)
        todo = list(states)
        while todo:
            name = todo.pop()
            for other, state in self._used_by(owner, name, names, states[name], overlay):
                new = state if other not in states else states[other] & state
                if states.get(other) != new:
                    states[other] = new
                    todo.append(other)
        end = flow.end if flow.end is not None else names
        found = {name: states.get(name, end) for name in units}
        if overlay is AS_IT_STANDS:
            self._entries[slot] = found
        return found

    def _used_by(
        self, owner: ast.AST, name: str, names: frozenset[str], state: frozenset[Any], overlay: Overlay
    ) -> Iterator[tuple[str, frozenset[Any]]]:
        """The functions of `owner` that another one of them may run, and what is bound there."""
        units = self.units.get(owner, {})
        for unit in units.get(name, ()):
            if any(self.is_global(unit, n) for n in names):
                yield from self._follow(unit, names, overlay, state, units).uses.items()
            else:
                yield from ((other, state) for other in units if other in self.mentioned(unit))

    def bound_by(self, function: Definition, names: frozenset[str], overlay: Overlay) -> frozenset[Any]:
        """The global names that are bound once a function has been called."""
        declared = frozenset(n for n in names if self.is_global(function, n))
        if not declared or isinstance(function, ast.ClassDef):
            return frozenset()
        end = self._follow(function, declared, overlay, frozenset(), {}).end
        return frozenset() if end is None else end & declared

    def follow_global(
        self, function: ast.AST, names: frozenset[str], overlay: Overlay, state: frozenset[Any]
    ) -> dict[int, ast.Name]:
        """The reads of global names, in a function that declares them, that may not be bound; state: what is when it is called."""
        return self._follow(function, names, overlay, state, {}).unbound

    def _follow(
        self,
        scope: ast.AST,
        names: frozenset[str],
        overlay: Overlay,
        state: frozenset[Any],
        units: dict[str, list[Definition]] | None = None,
    ) -> Flow:
        follower = _Follower(self, scope, names, overlay, self.units.get(scope, {}) if units is None else units)
        end = follower.suite(scope.body, state)  # type: ignore[attr-defined]
        return Flow(follower.unbound, follower.uses, _join(end, *follower.returned))

    def _parameters(self, scope: ast.AST) -> frozenset[Any]:
        if isinstance(scope, (ast.FunctionDef, ast.AsyncFunctionDef)):
            return frozenset(a.arg for a in every_parameter(scope.args))
        return frozenset()


class _Follower:
    """Follows the statements of a scope with what is bound."""

    def __init__(
        self,
        whole: Assignment,
        scope: ast.AST,
        names: frozenset[str],
        overlay: Overlay,
        units: dict[str, list[Definition]],
    ) -> None:
        self.whole = whole
        self.scope = scope
        self.names = names
        self.overlay = overlay
        self.units = units
        self._asserts = False  # whether what is read is taken to be bound
        self.unbound: dict[int, ast.Name] = {}
        self.uses: dict[str, frozenset[Any]] = {}
        self.returned: list[State] = []
        self._loops: list[tuple[list[State], list[State]]] = []  # where it is left, where it goes on
        self._hidden: list[frozenset[str]] = []  # names of comprehensions, lambdas and class bodies
        self._tests: dict[str, frozenset[str]] = {}  # what the tests that were asked read
        self._bases = 0

    def suite(self, nodes: list[ast.stmt], state: State) -> State:
        """The state behind the statements of a suite."""
        for node in self.overlay.suites.get(id(nodes), nodes):
            if state is None:
                return None
            stmt = self.overlay.statements.get(id(node), node)
            self._asserts = self.overlay is not AS_IT_STANDS and stmt is node and id(node) not in self.overlay.new
            state = _STATEMENTS.get(stmt.__class__, _Follower._plain)(self, stmt, state)
        return state

    # --- statements ---------------------------------------------------------------------

    def _plain(self, node: ast.stmt, state: frozenset[Any]) -> State:
        for part in children(node):
            state = self._expr(part, state)
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Call) and dotted(node.value.func) in _EXITS:
            return None
        return state

    def _assign(self, node: ast.Assign, state: frozenset[Any]) -> State:
        for part in (node.value, *node.targets):
            state = self._expr(part, state)
        return state

    def _augmented(self, node: ast.AugAssign, state: frozenset[Any]) -> State:
        if isinstance(node.target, ast.Name):
            state = self._read(node.target, state)
        for part in (node.value, node.target):
            state = self._expr(part, state)
        return state

    def _annotated(self, node: ast.AnnAssign, state: frozenset[Any]) -> State:
        return state if node.value is None else self._expr(node.target, self._expr(node.value, state))

    def _leave(self, node: ast.Return | ast.Raise, state: frozenset[Any]) -> State:
        for part in children(node):
            state = self._expr(part, state)
        if isinstance(node, ast.Return):
            self.returned.append(state)
        return None

    def _break(self, node: ast.stmt, state: frozenset[Any]) -> State:
        if self._loops:
            self._loops[-1][isinstance(node, ast.Continue)].append(state)
        return None

    def _import(self, node: ast.Import | ast.ImportFrom, state: frozenset[Any]) -> State:
        for alias in node.names:
            name = alias.asname or (alias.name.partition(".")[0] if isinstance(node, ast.Import) else alias.name)
            state = self._bind(name, state)
        return state

    def _function(self, node: ast.FunctionDef | ast.AsyncFunctionDef, state: frozenset[Any]) -> State:
        given = (*node.decorator_list, *node.args.defaults, *(d for d in node.args.kw_defaults if d is not None))
        for part in given:
            state = self._expr(part, state)
        return self._bind(node.name, state)

    def _class(self, node: ast.ClassDef, state: frozenset[Any]) -> State:
        for decorator in node.decorator_list:
            state = self._expr(decorator, state)
        self._bases += 1  # what is derived from a class does not run it
        given: list[ast.AST] = [*node.bases, *node.keywords]
        for part in given:
            state = self._expr(part, state)
        self._bases -= 1
        own = frozenset(n for n in (*self.names, *self.units) if self.whole.owner(node, n) is node)
        self._hidden.append(own)
        inside = self.suite(node.body, state)
        self._hidden.pop()
        return self._bind(node.name, state if inside is None else inside)

    def _if(self, node: ast.If, state: frozenset[Any]) -> State:
        first, ends = node, []
        while True:
            yes, no = self._test(node.test, state)
            ends.append(self.suite(node.body, yes))
            other = self.overlay.suites.get(id(node.orelse), node.orelse)
            following = self.overlay.statements.get(id(other[0]), other[0]) if len(other) == 1 else None
            if not isinstance(following, ast.If) or no is None:
                ends.append(self.suite(node.orelse, no))
                break
            node, state = following, no
        joined = _join(*ends)
        return joined if joined is None else joined | self._learned(first, ends[0], _join(*ends[1:]), joined)

    def _learned(self, node: ast.If, yes: State, no: State, joined: frozenset[Any]) -> frozenset[Any]:
        """What is bound behind an ``if`` by its answer."""
        learned: set[Any] = set()
        for state, answer in ((yes, True), (no, False)):
            gained = [n for n in state - joined if isinstance(n, str)] if state is not None else []
            if gained:
                text, said = _asked(node.test, answer)
                read = self._mentions(text, node.test)
                if any(isinstance(p, ast.Name) and p.id in read and not _loads(p) for s in node.body for p in walk(s)):
                    continue
                learned.update((text, said, name) for name in gained)
        return frozenset(learned)

    def _mentions(self, text: str, test: ast.expr) -> frozenset[str]:
        if text not in self._tests:
            parts = [p for p in walk(test) if isinstance(p, (ast.Name, ast.Attribute))]
            self._tests[text] = frozenset(filter(None, map(dotted, parts)))
        return self._tests[text]

    def _for(self, node: ast.For | ast.AsyncFor, state: frozenset[Any]) -> State:
        state = self._expr(node.iter, state)
        return self._loop(node, state, lambda start: (self._expr(node.target, start), start))

    def _while(self, node: ast.While, state: frozenset[Any]) -> State:
        return self._loop(node, state, lambda start: self._test(node.test, start))

    def _loop(self, node: Any, state: frozenset[Any], head: Any) -> State:
        breaks: list[State] = []
        start = state
        while True:
            breaks = []
            goes_on: list[State] = []
            self._loops.append((breaks, goes_on))
            inside, left = head(start)
            again = _join(self.suite(node.body, inside), *goes_on)
            self._loops.pop()
            back = start if again is None else start & again
            if back == start:
                break
            start = back  # something that was bound is not when it comes round
        if not isinstance(node, ast.While) and again is not None and left is not None:
            left = left & again
        return _join(self.suite(node.orelse, left), *breaks)

    def _with(self, node: ast.With | ast.AsyncWith, state: frozenset[Any]) -> State:
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
        return _join(end, state) if swallows else end

    def _try(self, node: ast.Try, state: frozenset[Any]) -> State:
        end = self.suite(node.body, state)
        gone = {
            part.id
            for stmt in node.body
            for part in walk(stmt)
            if isinstance(part, ast.Name) and isinstance(part.ctx, ast.Del)
        }
        failed = frozenset(n for n in state if (n if isinstance(n, str) else n[2]) not in gone)
        ends = [self.suite(node.orelse, end) if end is not None else None]
        for handler in node.handlers:
            inside: State = failed
            if handler.type is not None:
                inside = self._expr(handler.type, failed)
            if handler.name and inside is not None:
                inside = self._bind(handler.name, inside)
            after = self.suite(handler.body, inside)
            if handler.name and after is not None and handler.name not in _all(self._hidden):
                after = after - {handler.name}  # Python deletes it
            ends.append(after)
        joined = _join(*ends)
        if node.finalbody:
            outside = self.suite(node.finalbody, failed)
            if outside is None or joined is None:
                return None
            joined = self.suite(node.finalbody, joined)
        return joined

    def _match(self, node: Any, state: frozenset[Any]) -> State:
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
        return _join(left, *ends)

    def _assert(self, node: ast.Assert, state: frozenset[Any]) -> State:
        return self._test(node.test, state)[0]

    # --- expressions --------------------------------------------------------------------

    def _test(self, test: ast.expr, state: frozenset[Any]) -> tuple[State, State]:
        """The states where a test says yes and where it says no."""
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
            left = _join(*out)
            going, left = self._under(test, both, going), self._under(test, not both, left)
            return (going, left) if both else (left, going)
        after = self._expr(test, state)
        return self._under(test, True, after), self._under(test, False, after)

    def _under(self, test: ast.expr, answer: bool, state: State) -> State:
        """A state with what is known to be bound where a test was answered so."""
        if state is None or not self._tests:
            return state
        text, said = _asked(test, answer)
        if text not in self._tests:
            return state
        return state | {n[2] for n in state if n.__class__ is tuple and n[0] == text and n[1] == said}

    def _expr(self, node: ast.AST, state: frozenset[Any]) -> frozenset[Any]:
        todo: list[Any] = [node]
        while todo:
            part = todo.pop()
            cls = part.__class__
            if cls is ast.Name:
                if isinstance(part.ctx, ast.Load):
                    state = self._read(part, state)
                elif isinstance(part.ctx, ast.Del):
                    state = self._bind(part.id, self._read(part, state)) - {part.id}
                else:
                    state = self._bind(part.id, state)
            elif cls is ast.Constant:
                pass
            elif cls is ast.Attribute:
                if not isinstance(part.ctx, ast.Load):
                    state = self._forget(dotted(part), state)
                todo.append(part.value)
            elif cls is ast.BoolOp or cls is ast.IfExp:
                state = self._branching(part, state)
            elif cls is ast.NamedExpr:
                state = self._bind(part.target.id, self._expr(part.value, state))
            elif cls is ast.Lambda:
                for default in (*part.args.defaults, *(d for d in part.args.kw_defaults if d is not None)):
                    state = self._expr(default, state)
                self._hide((a.arg for a in every_parameter(part.args)), [part.body], state)
            elif isinstance(part, _COMPREHENSIONS):
                state = self._expr(part.generators[0].iter, state)
                own = (n.id for g in part.generators for n in walk(g.target) if isinstance(n, ast.Name))
                self._hide(own, [p for p in children(part) if not isinstance(p, ast.comprehension)], state)
                self._hide(
                    (n.id for g in part.generators for n in walk(g.target) if isinstance(n, ast.Name)),
                    [p for g in part.generators for p in (g.target, *g.ifs)] + [g.iter for g in part.generators[1:]],
                    state,
                )
            else:
                if cls is ast.Call and isinstance(part.func, ast.Name) and part.func.id in self.units:
                    todo.append(_Called(part.func.id))
                elif cls is _Called:
                    for function in self.units[part.name]:
                        state = state | self.whole.bound_by(function, self.names, self.overlay)
                todo += children(part)[::-1]
        return state

    def _branching(self, node: ast.BoolOp | ast.IfExp, state: frozenset[Any]) -> frozenset[Any]:
        if isinstance(node, ast.IfExp):
            yes, no = self._test(node.test, state)
            arms = ((node.body, yes), (node.orelse, no))
            ends = [self._expr(arm, given) for arm, given in arms if given is not None]
        else:
            ends = [given for given in self._test(node, state) if given is not None]
        joined = _join(*ends)
        return state if joined is None else joined

    def _hide(self, names: Iterable[str], parts: list[Any], state: frozenset[Any]) -> None:
        """Read expressions that have names of their own."""
        self._hidden.append(frozenset(names))
        for part in parts:
            self._expr(part, state)
        self._hidden.pop()

    # --- names --------------------------------------------------------------------------

    def _read(self, node: ast.Name, state: frozenset[Any]) -> frozenset[Any]:
        name = node.id
        if name not in self.names and name not in self.units:
            return state
        if self._hidden and name in _all(self._hidden):
            return state
        if name in self.units and not self._bases:
            self.uses[name] = self.uses[name] & state if name in self.uses else state
        if name in self.names and name not in state:
            self.unbound[id(node)] = node
            if self._asserts:
                return state | {name}
        return state

    def _bind(self, name: str, state: frozenset[Any]) -> frozenset[Any]:
        if self._hidden and name in _all(self._hidden):
            return state
        state = self._forget(name, state)
        return state | {name} if name in self.names else state

    def _forget(self, text: str, state: frozenset[Any]) -> frozenset[Any]:
        """Without what was known by tests that read what is set now."""
        if self._tests and any(text in read for read in self._tests.values()):
            return frozenset(n for n in state if n.__class__ is str or text not in self._tests[n[0]])
        return state


class _Called:
    """A function of the scope was called."""

    def __init__(self, name: str) -> None:
        self.name = name


def _all(hidden: list[frozenset[str]]) -> frozenset[str]:
    return hidden[0] if len(hidden) == 1 else frozenset().union(*hidden)


def _loads(node: ast.Name) -> bool:
    return isinstance(node.ctx, ast.Load)


def _join(*states: State) -> State:
    """What is bound whichever way was taken; None where none was."""
    found: State = None
    for state in states:
        if state is not None:
            found = state if found is None else found & state
    return found


def _asked(test: ast.expr, answer: bool) -> tuple[str, bool]:
    """A test in a form to be known again by, without the ``not`` before it, and the answer to that."""
    while isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not):
        test, answer = test.operand, not answer
    return ast.dump(test), answer


def _statements(nodes: list[ast.stmt]) -> list[ast.stmt]:
    """The statements of a scope, those of its compound statements included, in source order by and large."""
    found, todo = [], nodes[::-1]
    while todo:
        node = todo.pop()
        found.append(node)
        if not isinstance(node, _DEFINITIONS):
            for suite in reversed(suites(node)):
                todo += suite[::-1]
    return found


def suites(node: ast.AST) -> list[list[ast.stmt]]:
    """The suites of a statement, or a scope, in source order."""
    found = [getattr(node, "body", None), *(part.body for part in getattr(node, "handlers", ()))]
    found += [part.body for part in getattr(node, "cases", ())]
    found += [getattr(node, "orelse", None), getattr(node, "finalbody", None)]
    return [suite for suite in found if isinstance(suite, list) and suite]


_STATEMENTS: dict[type[ast.AST], Any] = {
    ast.Assign: _Follower._assign,
    ast.AugAssign: _Follower._augmented,
    ast.AnnAssign: _Follower._annotated,
    ast.Return: _Follower._leave,
    ast.Raise: _Follower._leave,
    ast.Break: _Follower._break,
    ast.Continue: _Follower._break,
    ast.Import: _Follower._import,
    ast.ImportFrom: _Follower._import,
    ast.FunctionDef: _Follower._function,
    ast.AsyncFunctionDef: _Follower._function,
    ast.ClassDef: _Follower._class,
    ast.If: _Follower._if,
    ast.For: _Follower._for,
    ast.AsyncFor: _Follower._for,
    ast.While: _Follower._while,
    ast.With: _Follower._with,
    ast.AsyncWith: _Follower._with,
    ast.Try: _Follower._try,
    ast.Match: _Follower._match,
    ast.Assert: _Follower._assert,
}
if hasattr(ast, "TryStar"):
    _STATEMENTS[ast.TryStar] = _Follower._try
