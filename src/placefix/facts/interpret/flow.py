"""The device-flow analysis: an abstract interpreter over the statement tree.

It runs the module as Python would, follows calls to functions, methods and classes of
the file, and records in order what happens to modules, optimizers and tensors (`Event`)
and which objects each statement touches and how (`Flow.touches`, the resources of
SEMANTICS C6). Functions that nothing in the file calls run once with unknown arguments.
"""

from __future__ import annotations

import ast
import re
from bisect import bisect_left
from collections import defaultdict
from functools import cached_property, lru_cache, reduce
from typing import TYPE_CHECKING, Any

from placefix.facts import torch_api as api
from placefix.facts.interpret.abroad import line_count
from placefix.facts.interpret.calls import Calls
from placefix.facts.interpret.data import PLACED
from placefix.facts.interpret.machine import WORLD
from placefix.facts.interpret.state import AVAILABLE, NO_FLAG, Flag, State, differs, join, merge
from placefix.facts.interpret.stores import set_elsewhere, stays, stores_in
from placefix.facts.interpret.values import UNKNOWN_PLACE, ClassInfo, Event, Frame, Obj
from placefix.facts.program.children import children, walk
from placefix.facts.program.guards import spared
from placefix.facts.program.names import dotted, is_cuda_variable
from placefix.lazy import in_bytes, pattern
from placefix.spelling import MOVED_ALONE, MOVES, PLACES

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from placefix.diagnostic import Span
    from placefix.facts.interpret.machine import Beyond
    from placefix.facts.interpret.stores import Store, Stores
    from placefix.facts.program.project import Definition
    from placefix.facts.program.tree import Scope, Stmt, Suite, Tree
    from placefix.source import Source

_EVIDENCE = tuple(f".{method}(" for method in sorted(api.MODULE_EVIDENCE - {"load_state_dict"}))
_WRAPPED = pattern(
    r"DataParallel\((?:(?<=\bnn\.DataParallel\()|(?<=\bnn\.DistributedDataParallel\()|(?<=\bnn\.parallel\.DataParallel\()"
    r"|(?<=\bnn\.parallel\.DistributedDataParallel\())\s*([A-Za-z_]\w*)\s*[,)]"
)
_PLACES = pattern(r"\.(?:to|cuda)\s*\(|\bdevice\s*=")
# What the text of every test holds that asks for CUDA, and not by a name that holds the answer.
_MAY_ASK = pattern(r"cuda|gpu|cpu|avail|device", re.IGNORECASE)
_ALL = ("*",)
_CUDA_NAME = pattern(r"cuda|gpu|is_avail", re.IGNORECASE)


def _receiver(text: str, end: int) -> int:
    """Where the chain of names starts that ends at `end`; `end` where there is none."""
    start = end
    while start and (text[start - 1].isalnum() or text[start - 1] in "_."):
        start -= 1
    while start < end and not (text[start] == "_" or (text[start].isascii() and text[start].isalpha())):
        start += 1
    return start


@lru_cache(maxsize=4096)
def _cuda_name(name: str) -> bool:
    return _CUDA_NAME.search(name) is not None


class Flow(Calls):
    """Runs the analysis at construction; afterwards it only answers."""

    def __init__(
        self,
        tree: Tree,
        source: Source,
        *,
        always: bool = False,
        infos: dict[Scope, ClassInfo] | None = None,
        stores: dict[Tree, Stores] | None = None,
    ) -> None:
        self.tree = tree
        self.source = source
        self.events: list[Event] = []
        self.touches: dict[Stmt, list[tuple[Obj, str]]] = defaultdict(list)
        self.uses: dict[Obj, list[tuple[str, ast.expr]]] = defaultdict(list)
        self.binds: dict[Obj, tuple[str, Stmt]] = {}  # element or tensor -> the name and statement that bind it
        self.values: dict[ast.expr, list[Obj]] = defaultdict(list)  # receivers of moves, per context
        self.stack: list[Frame] = []
        self.scopes_active: list[Scope] = []
        self.envs: dict[Scope, int] = {}
        self.returns: list[list[tuple[Obj, State]]] = []
        self.containers: set[ast.expr] = set()  # arguments that hold tensors and are none
        self.held: set[Obj] = set()  # modules in a list or dict, or part of another: whoever moves that moves them
        self.left: set[Obj] = set()  # modules that were given a new part after they were placed
        self.jumps: list[list[State]] = []  # per loop being run: where its body breaks and continues
        self.repeating = 0  # loops that are run a second time
        self.yielded: list[list[Obj]] = [[]]  # per activation: what it yields
        self.inside: list[bool] = [False]  # per activation: whether a call in the file made it
        self.collectors: list[list[Obj]] = []
        self.activation = 0
        self.overlays: list[dict[str, Obj]] = []
        self.ran: set[Scope] = set()
        self.infos = {} if infos is None else infos
        self._known_stores = {} if stores is None else stores
        self.imports: dict[str, Obj] = {}
        self.instances: dict[Scope, Obj] = {}
        self.inits: dict[Obj, State] = {}
        self.state = self.module_state = State({}, {}, {})
        self.own = tree
        self.abroad, self.border, self.crossed, self.extra = False, 0, 0, 0
        self.crossing: ast.Call | None = None
        self.beyond: dict[ast.Call, Beyond] = {}
        self.elsewhere: dict[tuple[Scope, str], Definition | None] = {}
        self.given: dict[ast.expr, Obj | None] = {}
        self.known: dict[Tree, tuple[dict[str, Obj], dict[str, list[int]], frozenset[str]]] = {}
        self.evidence: dict[str, list[int]] = {}  # dotted text -> where it is seen to be a module
        self.evident: frozenset[str] = frozenset()  # the last names of those
        self.extents: dict[Scope, Span] = {}
        self.ambient = {}
        # The names in a test, which may hold whether there is CUDA; _ALL of one that may ask for CUDA itself, by its text.
        self.named_in: dict[ast.expr, tuple[str, ...]] = {}
        self.flags = False  # whether some value is known to be the answer whether there is CUDA
        self._placing = _placing(source.text)
        if not self._placing and not always:
            return
        _, self.evidence, self.evident = self.known[tree] = (self.imports, *_evidence(source.text))
        self._run_module()
        self.module_state = self.state
        self._run_rest()

    def known_of(self, tree: Tree) -> tuple[dict[str, Obj], dict[str, list[int]], frozenset[str]]:
        """The imports that were met in a file, its evidence of modules, and the last names of that."""
        if tree not in self.known:
            self.known[tree] = ({}, *_evidence(tree.source.text))
        return self.known[tree]

    # --- running ---------------------------------------------------------------------

    def _run_module(self) -> None:
        root = self.tree.root
        self.envs[root] = 0
        self.scopes_active.append(root)
        self.returns.append([])
        self.stack.append(Frame(0, root.body.stmts[0])) if root.body.stmts else None
        self.suite(root.body)
        if self.state.dead:
            self.state.dead = ""
        self.returns.pop()

    def _run_rest(self) -> None:
        """Run what nothing called: classes through a stand-in instance, then functions."""
        self.stack.clear()  # no statement of the module runs them
        for scope in list(self.tree.scopes.values()):
            if scope in self.ran:
                continue
            if scope.kind == "class":
                self._run_class(scope)
            elif (
                scope.kind == "function"
                and (scope.parent is None or scope.parent.kind != "class")
                and self._relevant(scope)
            ):
                if scope.parent is not None and scope.parent.kind == "function" and scope.parent not in self.ran:
                    continue
                self.state = self.module_state.copy()
                self.call_scope(scope, None, None, None)

    def _relevant(self, scope: Scope) -> bool:
        """Whether a scope of the file may place something: where nothing calls it, code that places
        nothing has no say in what lies where."""
        if scope.tree is not self.own:
            return False
        start, end = self.own.extent(scope)
        at = bisect_left(self._placing, start)
        return at < len(self._placing) and self._placing[at] < end

    def _run_class(self, scope: Scope) -> None:
        self.ran.add(scope)
        if not self._relevant(scope) and not self._inherits(scope):
            return
        info = self.class_info(scope)
        loads = "oader" in self.tree.text(scope) and self._relevant(scope)
        missing = [
            s
            for s in info.methods.values()
            if s not in self.ran and ((loads and s.tree is self.own) or self._relevant(s))
        ]
        if not missing:
            return
        instance = self.instances.get(scope)
        if instance is None:
            self.state = self.module_state.copy()
            instance = self.new_instance(scope, scope.node)
            init = info.methods.get("__init__")
            if init is not None and (init.tree is self.own or self.may_follow(init)):
                self.call_scope(init, instance, None, None)
            self.inits[instance] = self.state.copy()
        base = self._settled(info, instance)
        for method in missing:
            if method not in self.ran:
                self.state = base.copy()
                self.call_scope(method, instance, None, None)

    def _inherits(self, scope: Scope) -> bool:
        """Whether a class may have methods that stand elsewhere in the file: without, nothing is placed where its text places nothing."""
        bases = scope.node.bases if isinstance(scope.node, ast.ClassDef) else []
        owners = (
            (base.id, scope.parent.lookup(base.id))
            for base in bases
            if isinstance(base, ast.Name) and scope.parent is not None
        )
        return any(owner is not None and name in owner.classes for name, owner in owners)

    def _settled(self, info: ClassInfo, instance: Obj) -> State:
        """What a method finds that nobody knows when is called: what the constructor made, without the attributes
        that are something else by then."""
        state = self.inits.get(instance, self.module_state).copy()
        for slot, value in list(state.fields.items()):
            others = set_elsewhere(self._stores, slot[1], info.scope) if slot[0] is instance else []
            if all(store.value is not None and stays(store.value, store.text) for store in others):
                continue
            if instance.is_module and value.is_module:
                del state.fields[slot]  # some part of it: nn.Module lets nothing else take the place of a module
            elif value.kind == "tensor" and all(map(self._sets_tensor, others)):
                state.fields[slot] = Obj("tensor", value.origin, place=UNKNOWN_PLACE)
            else:
                state.fields[slot] = Obj("unknown", value.origin, name=slot[1])
        return state

    def _sets_tensor(self, store: Store) -> bool:
        """Whether an attribute is set to a new tensor, or to what methods make of the one it is."""
        value = store.value
        name = self.tree.qualname(value.func, store.scope) if isinstance(value, ast.Call) else None
        while isinstance(value, ast.Call) and isinstance(value.func, ast.Attribute):
            value = value.func.value
        return (
            name in api.TENSOR_FACTORIES
            or name in api.TENSOR_FUNCTIONS
            or (value is not None and dotted(value) == store.text)
        )

    @cached_property
    def _stores(self) -> Stores:
        """The attributes that the file sets."""
        return stores_in(self.own, self._known_stores)

    def call_scope(self, scope: Scope, self_obj: Obj | None, call: ast.Call | None, args: list[Obj] | None) -> Obj:
        """Run a function body with bound arguments (`call` None: from outside, arguments unknown)."""
        if scope.tree is not self.tree:
            with self.inside_of(scope.tree, call):
                return self.call_scope(scope, self_obj, call, args)
        if self.abroad:
            self.extra += 1
            self.crossed += line_count(scope.node)
        else:
            self.ran.add(scope)
        overlays, self.overlays = self.overlays, []
        self.activation += 1
        ident = self.activation
        previous = self.envs.get(scope)
        self.bind_parameters(scope, ident, self_obj, call, args)
        self.envs[scope] = ident
        self.scopes_active.append(scope)
        self.returns.append([])
        self.inside.append(call is not None)
        self.yielded.append([])
        self.stack.append(Frame(ident, scope.body.stmts[0]))
        self.suite(scope.body)
        self.stack.pop()
        yielded = self.yielded.pop()
        self.overlays = overlays
        returned = self.returns.pop()
        self.inside.pop()
        self.scopes_active.pop()
        if previous is None:
            del self.envs[scope]
        else:
            self.envs[scope] = previous
        result: Obj | None = None
        end = self.state
        if call is not None:
            # what its names held is out of reach from here on, and joins need not look at it
            for _, state in returned:
                state.forget(ident)
            end.forget(ident)
        if end.dead != "raise":
            end.dead = ""
        for value, state in returned:
            result = value if result is None else merge(result, value)
            state.dead = ""
            end = join(end, state) if not end.dead else state
        if end.dead == "raise":
            end.dead = ""  # a function that always raises is not taken to be called for that
        self.state = end
        if yielded and call is not None:
            return Obj("generated", call, base=reduce(merge, yielded))
        if result is None:
            return Obj("const", call)
        return result

    # --- statements -------------------------------------------------------------------

    def suite(self, suite: Suite) -> None:
        frame = self.stack[-1] if self.stack else None
        ident = frame.activation if frame else 0
        stack = self.stack
        statements = _STATEMENTS.get
        for stmt in suite.stmts:
            if self.state.dead:
                break
            node = stmt.node
            handler = statements(node.__class__)
            if handler is not None:
                stack[-1] = Frame(ident, stmt)
                handler(self, stmt, node)

    def s_expr(self, stmt: Stmt, node: ast.Expr) -> None:
        value = node.value
        if isinstance(value, ast.Constant):
            return
        self.eval(value)

    def s_assign(self, stmt: Stmt, node: ast.Assign) -> None:
        value = self.collected(node.value)
        for target in node.targets:
            self.bind(target, value, stmt)

    def s_annassign(self, stmt: Stmt, node: ast.AnnAssign) -> None:
        if node.value is not None:
            self.bind(node.target, self.collected(node.value), stmt)

    def s_augassign(self, stmt: Stmt, node: ast.AugAssign) -> None:
        value = self.collected(node.value)
        old = self.eval(node.target)
        if old.kind in ("list", "params") and value.members:
            old.members = tuple(dict.fromkeys((*old.members, *value.members)))
            return
        if isinstance(node.target, (ast.Name, ast.Attribute)):
            result = (
                self.tensor_op(node.target, (old, value))
                if "tensor" in (old.kind, value.kind) or "element" in (old.kind, value.kind)
                else Obj("unknown", node)
            )
            result.dims = old.dims if not isinstance(node.op, ast.MatMult) else 0
            if old.kind == "const":
                result = Obj("unknown", node)
            self.bind(node.target, result, stmt)

    def s_return(self, stmt: Stmt, node: ast.Return) -> None:
        value = self.collected(node.value) if node.value is not None else Obj("const", node)
        if not self.inside[-1]:  # otherwise the caller's uses are its uses
            for item in self.flatten(value):
                self.use(item, "escape", node.value)
                self.use_generated(item, node.value)
        self.returns[-1].append((value, self.state.copy()))
        self.state.dead = "return"

    def s_if(self, stmt: Stmt, node: ast.If) -> None:
        here = self.stack[-1]
        self.eval(node.test)
        if self._is_main_guard(node.test):
            self.suite(stmt.suites[0])
            return
        flag = self.cuda_test(node.test)
        before = self.state
        self.state = before.copy()
        self.state.spared = before.spared or flag.spares_a
        self.suite(stmt.suites[0])
        self.stack[-1] = here
        then = self.state
        self.state = before
        before.spared = before.spared or flag.spares_b
        if len(stmt.suites) > 1:
            self.suite(stmt.suites[1])
            self.stack[-1] = here
        self.state = join(then, self.state, flag=flag)

    @staticmethod
    def _is_main_guard(test: ast.expr) -> bool:
        return isinstance(test, ast.Compare) and isinstance(test.left, ast.Name) and test.left.id == "__name__"

    def s_for(self, stmt: Stmt, node: ast.For) -> None:
        iterable = self.eval(node.iter)
        before = self.state.copy()
        items = (
            iterable.items
            if iterable.kind in ("tuple", "list") and iterable.items and 0 < len(iterable.items) <= 6
            else None
        )
        if items and all(i.is_module or i.kind == "optimizer" for i in items):
            left: list[State] = []
            for item in items:  # a loop over a literal list of modules runs for each of them

                def one(item: Obj = item) -> None:
                    self.bind(node.target, item, stmt)
                    self.suite(stmt.suites[0])

                self.state = self._iteration(stmt, one, left)
                self.state.dead = ""
            for state in left:
                state.dead = ""
                self.state = join(state, self.state)
            return

        def body() -> None:
            self.bind_loop(node.target, iterable, node.iter, stmt)
            self.suite(stmt.suites[0])

        self._loop(stmt, before, body)

    def s_while(self, stmt: Stmt, node: ast.While) -> None:
        def body() -> None:
            self.eval(node.test)
            self.suite(stmt.suites[0])

        self._loop(stmt, self.state.copy(), body)

    def _loop(self, stmt: Stmt, before: State, body: Callable[[], None]) -> None:
        """Run a loop's body as its first iteration does, and again as the next one does where that finds
        something else than the first: a module placed or wrapped, a tensor moved, an optimizer built anew."""
        here = self.stack[-1]
        left: list[State] = []
        end = self._iteration(stmt, body, left)
        if not end.dead and not self.abroad and self.repeating < 2 and differs(before, end):
            self.repeating += 1
            self.state = end.copy()
            again = self._iteration(stmt, body, left)
            self.repeating -= 1
            if not again.dead:
                end = join(again, end) if differs(end, again) else again
        self.state = before if end.dead else join(end, before)
        for state in left:
            state.dead = ""
            self.state = join(state, self.state)
        for suite in stmt.suites[1:]:
            self.suite(suite)
            self.stack[-1] = here

    def _iteration(self, stmt: Stmt, body: Callable[[], None], left: list[State]) -> State:
        """The state in which one iteration ends, dead where none reaches its end; `left` gets the
        states in which it breaks out of the loop."""
        here = self.stack[-1]
        self.jumps.append([])
        body()
        self.stack[-1] = here
        end = self.state
        for state in self.jumps.pop():
            if state.dead == "break":
                left.append(state)
            else:
                state.dead = ""
                end = join(end, state)
        return end

    def s_with(self, stmt: Stmt, node: ast.With) -> None:
        here = self.stack[-1]
        for item in node.items:
            value = self.eval(item.context_expr)
            if item.optional_vars is not None:
                self.bind(item.optional_vars, value, stmt)
        self.suite(stmt.suites[0])
        self.stack[-1] = here

    def s_try(self, stmt: Stmt, node: ast.Try) -> None:
        here = self.stack[-1]
        before = self.state.copy()
        arms = {suite.arm: suite for suite in stmt.suites}
        self.suite(arms["body"])
        if not self.state.dead and "orelse" in arms:
            self.suite(arms["orelse"])
        result = self.state
        middle = join(before, result) if not result.dead else before
        for arm, suite in arms.items():
            if arm.startswith("handler"):
                self.stack[-1] = here
                self.state = middle.copy()
                self.suite(suite)
                # an import fallback or a reported failure: the body is the path that counts
                result = join(result, self.state)
        self.state = result
        self.stack[-1] = here
        if "finalbody" in arms:
            dead, self.state.dead = self.state.dead, ""
            self.suite(arms["finalbody"])
            self.stack[-1] = here
            self.state.dead = self.state.dead or dead

    def s_match(self, stmt: Stmt, node: ast.AST) -> None:
        here = self.stack[-1]
        self.eval(node.subject)  # type: ignore[attr-defined]
        before = self.state
        result: State | None = before.copy()
        for suite in stmt.suites:
            self.state = before.copy()
            self.suite(suite)
            self.stack[-1] = here
            assert result is not None
            result = join(result, self.state)
        assert result is not None
        self.state = result

    def s_function(self, stmt: Stmt, node: ast.FunctionDef) -> None:
        scope = self.tree.scopes[node]
        for default in (*node.args.defaults, *(d for d in node.args.kw_defaults if d is not None)):
            self.eval(default)
        for decorator in node.decorator_list:
            self.eval(decorator)
        self.store_name(node.name, Obj("function", node, scope=scope))

    def s_class(self, stmt: Stmt, node: ast.ClassDef) -> None:
        scope = self.tree.scopes[node]
        # class-level values: run the plain statements of the body in an environment of its own
        self.activation += 1
        self.envs[scope] = self.activation
        self.scopes_active.append(scope)
        self.stack.append(Frame(self.activation, stmt))
        for inner in scope.body.stmts:
            if isinstance(inner.node, (ast.Assign, ast.AnnAssign)):
                self.stack[-1] = Frame(self.stack[-1].activation, inner)
                _STATEMENTS[inner.node.__class__](self, inner, inner.node)
        self.stack.pop()
        self.scopes_active.pop()
        del self.envs[scope]
        self.store_name(node.name, Obj("class", node, scope=scope))

    def s_delete(self, stmt: Stmt, node: ast.Delete) -> None:
        for target in node.targets:
            if isinstance(target, ast.Name):
                self.store_name(target.id, Obj("unknown", node))

    def s_raise(self, stmt: Stmt, node: ast.Raise) -> None:
        if node.exc is not None:
            self.eval(node.exc)
        self.state.dead = "raise"

    def s_break(self, stmt: Stmt, node: ast.Break | ast.Continue) -> None:
        self.state.dead = "break" if isinstance(node, ast.Break) else "continue"
        if self.jumps:
            self.jumps[-1].append(self.state.copy())

    def s_assert(self, stmt: Stmt, node: ast.Assert) -> None:
        self.eval(node.test)

    # --- binding ----------------------------------------------------------------------

    def collected(self, expr: ast.expr) -> Obj:
        """Evaluate; a value of unknown kind that read modules' parameters becomes `params` over them."""
        kind = expr.__class__
        if kind is ast.Constant:
            return self.e_constant(expr)  # type: ignore[arg-type]
        if kind is ast.Name:
            return self.e_name(expr)  # type: ignore[arg-type]
        if kind is ast.Attribute and expr.value.__class__ is ast.Name:  # type: ignore[attr-defined]
            return self.e_attribute(expr)  # type: ignore[arg-type]
        self.collectors.append([])
        value = self.eval(expr)
        found = self.collectors.pop()
        if found:
            if self.collectors:
                self.collectors[-1].extend(found)
            if value.kind in ("unknown", "list", "tuple", "dict") and not value.members:
                if value.kind == "unknown":
                    return Obj("params", expr, members=tuple(dict.fromkeys(found)), name=value.name)
                value.members = tuple(dict.fromkeys(found))
        return value

    def bind(self, target: ast.expr, value: Obj, stmt: Stmt) -> None:
        """Assign `value` to a target of any form."""
        kind = target.__class__
        if kind is ast.Name:
            value = self.by_evidence(target, value)
            self.store_name(target.id, value)  # type: ignore[attr-defined]
            if value.kind in ("element", "tensor", "dict") and not self.abroad and value not in self.binds:
                self.binds[value] = (target.id, stmt)  # type: ignore[attr-defined]
                if value.kind == "tensor" and value.roots:
                    value.roots |= {value}  # a named tensor is a place to repair what derives from it
        elif kind is ast.Attribute:
            base = self.eval(target.value)  # type: ignore[attr-defined]
            value = self.by_evidence(target, value)
            self.use_generated(value, target)
            if base.kind == "encoding":
                base.base = None
            if value.kind in ("element", "tensor"):
                if base.kind != "instance":
                    self.use(value, "attribute" if base.is_module else "escape", target)
                elif not self.abroad and value not in self.binds:
                    self.binds[value] = (dotted(target), stmt)
            if base.kind == "dataset" and _PLACES.search(self.source.code(stmt.node)):
                base.value = PLACED  # train.targets = train.targets.to(device)
            # model.fc.weight.requires_grad = False, p.requires_grad = False over model.parameters()
            if base.kind in ("part", "unknown"):
                self.touch_part(base, "init" if target.attr == "data" else "params")  # type: ignore[attr-defined]
            if base.kind == "part":
                self.part_set(base, value, target)
            if base.is_module:
                root = base.root()
                self.touch(root, "params")
                if value.is_module and value is not base:
                    self.held.add(value.root())
                    self.part_set(base, value, target)
                    self.state.fields[root, target.attr] = value  # type: ignore[attr-defined]
                    return
            self.state.fields[base.root() if base.is_module else base, target.attr] = value  # type: ignore[attr-defined]
        elif kind is ast.Tuple or kind is ast.List:
            elements = target.elts  # type: ignore[attr-defined]
            if (
                value.kind in ("tuple", "list")
                and value.items is not None
                and len(value.items) == len(elements)
                and not any(isinstance(e, ast.Starred) for e in elements)
            ):
                for element, item in zip(elements, value.items):
                    self.bind(element, item, stmt)
                return
            for number, element in enumerate(elements):
                if isinstance(element, ast.Starred):
                    self.bind(element.value, Obj("unknown", element), stmt)
                else:
                    self.bind(element, self.item_of(value, number, element), stmt)
        elif kind is ast.Subscript:
            base = self.eval(target.value)  # type: ignore[attr-defined]
            key = self.eval(target.slice)  # type: ignore[attr-defined]
            self.assign_item(base, target.slice, value)  # type: ignore[attr-defined]
            if value.members:
                base.members = tuple(dict.fromkeys((*base.members, *value.members)))
            if base.kind == "encoding":
                base.base = None
            self.use_generated(value, target)
            if value.kind in ("element", "tensor"):
                self.use(value, "escape", target)
            if base.is_module:
                self.touch(base.root(), "params")
            elif base.kind in ("part", "unknown"):
                self.touch_part(base, "init")  # model.embedding.weight.data[0] = …
                self.part_set(base, value, target)
            elif base.kind == "import" and base.name == "os.environ" and is_cuda_variable(key.value):
                self.touch(WORLD, "env")
        elif kind is ast.Starred:
            self.bind(target.value, Obj("unknown", target), stmt)  # type: ignore[attr-defined]

    def bind_loop(self, target: ast.expr, iterable: Obj, expr: ast.expr, stmt: Stmt) -> None:
        """Bind a loop's target to one item of what it iterates."""
        if iterable.kind == "enumerated" and isinstance(target, (ast.Tuple, ast.List)) and len(target.elts) == 2:
            self.bind(target.elts[0], Obj("const", target.elts[0]), stmt)
            assert iterable.base is not None
            self.bind_loop(target.elts[1], iterable.base, expr, stmt)
            return
        if (
            iterable.kind == "zipped"
            and isinstance(target, (ast.Tuple, ast.List))
            and iterable.items
            and len(target.elts) == len(iterable.items)
        ):
            for element, item in zip(target.elts, iterable.items):
                self.bind_loop(element, item, expr, stmt)
            return
        if iterable.kind == "loader":
            self.bind(target, self.new_element(iterable, target), stmt)
            return
        if iterable.kind == "generated" and iterable.base is not None:
            self.bind(target, iterable.base, stmt)
            return
        if iterable.kind in ("list", "tuple") and iterable.items and all(i.kind == "tensor" for i in iterable.items):
            self.bind(target, reduce(merge, iterable.items), stmt)
            return
        if (
            iterable.kind == "list"
            and iterable.items is None
            and iterable.base is not None
            and iterable.base.kind == "tensor"
        ):
            self.bind(target, iterable.base, stmt)  # each of them is like this one
            return
        if iterable.kind == "tensor":
            item = self.tensor_op(expr, (iterable,))
            item.maybe = True  # one of a vector's is 0-dim
            self.bind(target, item, stmt)
            return
        self.bind(
            target,
            Obj("unknown", target, members=iterable.members, base=iterable if iterable.kind == "params" else None),
            stmt,
        )

    def store_name(self, name: str, value: Obj) -> None:
        scope = self.scopes_active[-1]
        if name in scope.globals:
            self.state.put(self.envs.get(self.tree.root, 0), name, value)
            return
        owner = scope if name in scope.bindings else scope.lookup(name)
        self.state.put(self.envs.get(owner or scope, 0), name, value)

    def by_evidence(self, target: ast.expr, value: Obj) -> Obj:
        """Upgrade an unknown value to a module when the scope treats the name as one (C3)."""
        if value.kind != "unknown" or (getattr(target, "id", "") or getattr(target, "attr", "")) not in self.evident:
            return value
        text = dotted(target)
        if text and self.has_evidence(text):
            module = Obj("module", value.origin, name=value.name, cls=value.cls, proven=True, param=value.param)
            self.state.place[module] = self.state.place.get(value, UNKNOWN_PLACE)
            self.known_as(value, module)
            return module
        return value

    def has_evidence(self, text: str) -> bool:
        """Whether the current function (class, for self.x) calls a module-only method on `text`."""
        positions = self.evidence.get(text)
        if not positions:
            return False
        scope = self.scopes_active[-1]
        if text.startswith("self.") and scope.parent is not None and scope.parent.kind == "class":
            scope = scope.parent
        if scope.kind == "module":
            return True
        span = self.extents.get(scope)
        if span is None:
            span = self.extents[scope] = self.source.span(scope.node)
        return any(span.start <= p < span.end for p in positions)

    # --- questions about tests ----------------------------------------------------------

    def cuda_test(self, test: ast.expr) -> Flag:
        """`test` when it asks whether to use CUDA, without a text where another device would do; else no flag."""
        named = self.named_in.get(test)
        if named is None:
            asks = _MAY_ASK.search(self.source.code(test)) is not None
            named = self.named_in[test] = _ALL if asks else tuple({n.id for n in walk(test) if n.__class__ is ast.Name})
        if named is not _ALL and not (self.flags and any(map(self._is_flag, named))):
            return NO_FLAG
        arms = spared(test, self._is_available)
        if not self._asks_for_cuda(test):
            return Flag("", *arms) if any(arms) else NO_FLAG
        text = self.source.code(test)
        # another file's names are not this file's
        return Flag(text if not self.abroad or text in AVAILABLE else f"elsewhere: {text}", *arms)

    def _is_flag(self, name: str) -> bool:
        """Whether a name holds what was asked about CUDA."""
        value = self.lookup(name)
        return value is not None and value.kind == "flag"

    def _is_available(self, name: str) -> bool:
        """Whether a name holds whether there is CUDA."""
        value = self.lookup(name)
        return value is not None and value.kind == "flag" and value.value == "available"

    def _asks_for_cuda(self, test: ast.expr) -> bool:
        stack: list[Any] = [test]
        while stack:
            part = stack.pop()
            kind = part.__class__
            if kind is ast.Attribute:
                if _cuda_name(part.attr):
                    return True
                stack.append(part.value)
            elif kind is ast.Name:
                if _cuda_name(part.id):
                    return True
                if self.flags and self._is_flag(part.id):
                    return True
            elif kind is not ast.Constant:
                stack += children(part)
        return False

    # --- recording --------------------------------------------------------------------


def _places(text: str, word: str) -> Iterator[int]:
    """Where a word stands."""
    at = text.find(word)
    while at >= 0:
        yield at
        at = text.find(word, at + 1)


def _same_function(text: str, a: int, b: int) -> bool:
    """Whether no function begins between two places, as far as the text shows."""
    return "def " not in text[min(a, b) : max(a, b)]


def _placing(text: str) -> list[int]:
    """Where something may be placed, sorted."""
    data = text.encode("ascii", "replace")  # one byte a code point: the triggers have the patterns of bytes compiled
    found = [match.start() for places in PLACES for match in in_bytes(places).finditer(data)]
    alone = in_bytes(MOVED_ALONE).fullmatch
    for move in MOVES:
        for match in in_bytes(move).finditer(data):
            line = data.rfind(b"\n", 0, match.start())
            if line >= 0 and alone(data, line + 1, match.start()):
                found.append(line)
    return sorted(found)


def _evidence(text: str) -> tuple[dict[str, list[int]], frozenset[str]]:
    """Expressions on which a method is called that only modules have, with where they stand; their last names."""
    found: dict[str, list[int]] = defaultdict(list)
    for word in _EVIDENCE:
        for at in _places(text, word):
            start = _receiver(text, at)
            if start < at:
                found[text[start:at]].append(start)
    if "DataParallel(" in text:
        for match in _WRAPPED.finditer(text):
            found[match.group(1)].append(match.start(1))
    for at in _places(text, ".load_state_dict("):
        # an optimizer has state as well and is not moved; a tensor is moved and has none
        name = text[_receiver(text, at) : at]
        moved = (
            [p for move in (".to(", ".cuda(") for p in _places(text, name + move)] if name and name not in found else ()
        )
        if any(text[max(p - 1, 0)] not in ".\"'" and _same_function(text, at, p) for p in moved):
            found[name].append(at)
    for name in [n for n in found if n.endswith(".module")]:
        # what is known of the module in a wrapper is known of the wrapper
        found.setdefault(name.removesuffix(".module"), found[name])
    return found, frozenset(name.rpartition(".")[2] for name in found)


_STATEMENTS: dict[type[ast.AST], Callable[[Any, Stmt, Any], None]] = {
    ast.Expr: Flow.s_expr,
    ast.Assign: Flow.s_assign,
    ast.AnnAssign: Flow.s_annassign,
    ast.AugAssign: Flow.s_augassign,
    ast.Return: Flow.s_return,
    ast.If: Flow.s_if,
    ast.For: Flow.s_for,
    ast.AsyncFor: Flow.s_for,
    ast.While: Flow.s_while,
    ast.With: Flow.s_with,
    ast.AsyncWith: Flow.s_with,
    ast.Try: Flow.s_try,
    ast.FunctionDef: Flow.s_function,
    ast.AsyncFunctionDef: Flow.s_function,
    ast.ClassDef: Flow.s_class,
    ast.Delete: Flow.s_delete,
    ast.Raise: Flow.s_raise,
    ast.Break: Flow.s_break,
    ast.Continue: Flow.s_break,
    ast.Assert: Flow.s_assert,
}
if hasattr(ast, "TryStar"):
    _STATEMENTS[ast.TryStar] = Flow.s_try
if hasattr(ast, "Match"):
    _STATEMENTS[ast.Match] = Flow.s_match
