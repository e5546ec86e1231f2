"""Whether a value that a statement places on CUDA meets, in an operation, a value on a device that is not known.

If a program ran to the end and two tensors met, they were on one device: the unknown device
was the current GPU. Without such an operation ``device`` may be the CPU or another GPU, and
``x.cuda()`` must not become ``x.to(device)``.
"""

from __future__ import annotations

import ast
from functools import cached_property
from typing import TYPE_CHECKING

from placefix.facts.interpret.flow import Flow
from placefix.facts.program.ast_names import dotted
from placefix.facts.program.ast_walk import header, walk
from placefix.facts.program.tree import common
from placefix.rules.cuda.use_sites import Cuda

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator

    from placefix.facts.context import AnalysisContext
    from placefix.facts.devices.cuda_uses import Site
    from placefix.facts.program.tree import Scope, Stmt

# Methods whose result is on another device, or is no tensor.
_LEAVES = frozenset(
    ("to", "cuda", "cpu", "numpy", "tolist", "item", "size", "dim", "numel", "nelement", "stride", "get_device",
     "parameters", "named_parameters", "state_dict", "buffers", "modules", "children", "type", "type_as")
)  # fmt: skip
# Methods that take an argument from any device.
_TOLERANT = frozenset(
    ("to", "copy_", "type_as", "view_as", "expand_as", "reshape_as", "load_state_dict", "resize_as_", "append", "extend",
     "apply", "train", "eval", "set_", "new_tensor", "add_module", "register_buffer", "register_parameter", "fill_", "index_put_",
     "index_put")
)  # fmt: skip
_SAME_PLACE = frozenset(("data", "grad", "T", "mT", "module"))
_BRANCHES = (ast.If, ast.Match, ast.Try)
_LEAVING = (ast.Return, ast.Break, ast.Continue)
_LOOPS = (ast.For, ast.AsyncFor, ast.While)
# The forms of sites whose result is on the GPU that they name.
_PLACES = ("cuda", "to", "argument", "tensor")
# Packages whose functions refuse tensors on different devices, and return a tensor on the common one.
_TOGETHER = ("torch.", "torch_scatter.")


class _Lying:
    """The calls and names of one scope whose values are on one device; updated statement by statement."""

    def __init__(self, context: AnalysisContext, nodes: set[int], names: set[str]) -> None:
        self.context = context
        self.nodes = nodes
        self.names = names

    def has(self, expr: ast.AST, scope: Scope) -> bool:
        """Whether the value of `expr` is on that device."""
        if id(expr) in self.nodes:
            return True
        if isinstance(expr, (ast.Name, ast.Attribute)):
            if dotted(expr) in self.names:
                return True
            return isinstance(expr, ast.Attribute) and expr.attr in _SAME_PLACE and self.has(expr.value, scope)
        if isinstance(expr, ast.Call):
            return self._has_result(expr, scope)
        if isinstance(expr, ast.BinOp):
            return self.has(expr.left, scope) or self.has(expr.right, scope)
        if isinstance(expr, ast.Compare):
            return self.has(expr.left, scope) or any(self.has(c, scope) for c in expr.comparators)
        if isinstance(expr, ast.UnaryOp):
            return self.has(expr.operand, scope)
        if isinstance(expr, (ast.Subscript, ast.Starred)):
            return self.has(expr.value, scope)
        return isinstance(expr, ast.IfExp) and self.has(expr.body, scope) and self.has(expr.orelse, scope)

    def _has_result(self, call: ast.Call, scope: Scope) -> bool:
        """Whether the result of a call lies there: with the arguments of a function of torch or a module, or with the receiver."""
        if isinstance(call.func, ast.Attribute) and call.func.attr in _LEAVES:
            return False
        if any(k.arg == "device" for k in call.keywords):
            return False
        name = self.context.tree.qualname(call.func, scope)
        if name is not None:
            return name.startswith(_TOGETHER) and self.any(_operands(call), scope)
        if self.has(call.func, scope):
            return True
        if self.context.get(Meets).is_module(call, scope) and self.any(call.args, scope):
            return True
        return isinstance(call.func, ast.Attribute) and self.has(call.func.value, scope)

    def any(self, exprs: Iterable[ast.AST], scope: Scope) -> bool:
        """Whether one of the arguments is on that device, in a list or tuple too."""
        return any(
            self.any(e.elts, scope) if isinstance(e, (ast.List, ast.Tuple)) else self.has(e, scope) for e in exprs
        )

    def learn(self, stmt: Stmt, *, certain: bool) -> None:
        """Update the known values by the bindings of a statement; uncertain bindings and other values are forgotten."""
        node = stmt.node
        if isinstance(node, (ast.Assign, ast.AnnAssign)) and node.value is not None:
            for target in node.targets if isinstance(node, ast.Assign) else [node.target]:
                self._bind(target, node.value, stmt.scope, certain)
        elif isinstance(node, (ast.For, ast.AsyncFor)):
            self._bind(node.target, None, stmt.scope, certain)
        elif (
            isinstance(node, ast.Expr)
            and isinstance(node.value, ast.Call)
            and isinstance(node.value.func, ast.Attribute)
        ):
            text = dotted(node.value.func.value)
            if id(node.value) not in self.nodes:
                if node.value.func.attr in ("to", "cuda", "cpu"):
                    self.names.discard(text)  # a module is moved elsewhere, in place
            elif text and certain and self.context.get(Meets).is_called(text):
                self.names.add(text)

    def _bind(self, target: ast.expr, value: ast.expr | None, scope: Scope, certain: bool) -> None:
        if isinstance(target, (ast.Tuple, ast.List)):
            pairs = isinstance(value, (ast.Tuple, ast.List)) and len(value.elts) == len(target.elts)
            for i, element in enumerate(target.elts):
                self._bind(element, value.elts[i] if pairs else value, scope, certain)  # type: ignore[union-attr]
            return
        text = dotted(target.value if isinstance(target, ast.Starred) else target)
        if not text:
            return
        if certain and value is not None and self.has(value, scope):
            self.names.add(text)
        else:
            self.names.discard(text)


class Meets:
    """Answers for one file."""

    def __init__(self, context: AnalysisContext) -> None:
        self.context = context
        self.tree = context.tree
        self.index = context.index
        self._on: dict[str, set[int]] = {}  # device -> the answer of `_placed`

    def __call__(self, site: Site, device: str) -> bool:
        """Whether the value that `site` places is used together with one on `device`, on every path that uses it."""
        return self._ahead(site, _Lying(self.context, self._placed(device), self._around(site.stmt.scope, device)))

    def parameter(self, site: Site, name: str) -> bool:
        """Whether the value that `site` places is used together with the parameter `name`, or the value of another site that runs
        whenever this one does."""
        return any(self._ahead(s, _Lying(self.context, set(), {name})) for s in (site, *self._companions(site)))

    def local(self, site: Site, name: str) -> bool:
        """Whether the value that `site` places is used together with the tensor that a local `name` holds there."""
        return self._ahead(site, _Lying(self.context, set(), {name}), subject=name)

    def _companions(self, site: Site) -> Iterator[Site]:
        """The other sites that place something on the current GPU whenever `site` runs."""
        stmts = self._by_scope.get(site.stmt.scope, [])
        around = {a for a in site.stmt.ancestors() if a is not site.stmt}
        for other in self.context.get(Cuda).sites:
            if (
                other.stmt.scope is site.stmt.scope
                and other.node is not site.node
                and other.form in _PLACES
                and (other.guard, other.index, other.extra) == (None, None, None)
                and around.issuperset(a for a in other.stmt.ancestors() if a is not other.stmt)
            ):
                behind = stmts[stmts.index(site.stmt) : stmts.index(other.stmt)]
                if not any(isinstance(s.node, _LEAVING) for s in behind):
                    yield other

    def guarded(self, site: Site, others: Iterable[Site]) -> bool:
        """Whether the value that `site` places is used together with values that the guarded `others` of its function place."""
        guards = [s.guard for s in others if s.guard is not None]
        nodes = {id(s.node) for s in others} | {id(g.node) for g in guards if isinstance(g.node, ast.IfExp)}
        through = {g.stmt for g in guards if isinstance(g.node, ast.If)}
        return bool(nodes) and self._ahead(site, _Lying(self.context, nodes, set()), through)

    def _ahead(self, site: Site, there: _Lying, through: Collection[Stmt] = (), subject: str = "") -> bool:
        """Whether the value that `site` places meets a value `there`, on every path that uses it. through: branches that are taken;
        subject: a tensor there, by its name at `site`."""
        scope = site.stmt.scope
        here = _Lying(self.context, {id(site.node)}, set())
        branches = {a for a in site.stmt.ancestors() if isinstance(a.node, _BRANCHES)}.union(through)
        reached = False
        for stmt in self._by_scope.get(scope, ()):
            if _apart(stmt, site.stmt):
                continue
            reached = reached or stmt is site.stmt
            certain = all(a in branches or not isinstance(a.node, _BRANCHES) for a in stmt.ancestors() if a is not stmt)
            if reached and certain and self._together(stmt, here, there):
                return True
            if reached and isinstance(stmt.node, _LEAVING):
                return False
            there.learn(stmt, certain=certain)
            if subject and not reached:
                there.names.add(subject)
            if reached:
                here.learn(stmt, certain=True)
        return False

    def tensor(self, site: Site, text: str) -> bool:
        """Whether the value that a guarded `site` places is used together with the tensor `text`, which its guard tests."""
        return self._behind(site, _Lying(self.context, set(), {text}), text, inside=True)

    def beyond(self, site: Site, device: str) -> bool:
        """Whether the value that a guarded `site` places is used together with one on `device`, whether or not the
        guard was true."""
        return self._behind(site, _Lying(self.context, self._placed(device), self._around(site.stmt.scope, device)))

    def tensor_beyond(self, site: Site, name: str) -> bool:
        """Whether the value that a guarded `site` places is used together with the tensor `name`, whether or not the guard was true."""
        return self._behind(site, _Lying(self.context, set(), {name}), name)

    def _behind(self, site: Site, there: _Lying, subject: str = "", *, inside: bool = False) -> bool:
        """Whether the value that a guarded `site` places meets a value `there`. subject: a tensor there, by its name before the guard;
        inside: whether a meeting inside the guard counts as well."""
        guard, mine = site.guard, list(site.stmt.ancestors())
        assert guard is not None
        here = _Lying(self.context, {id(site.node), id(guard.node)}, set())
        reached = False
        for stmt in self._by_scope.get(site.stmt.scope, ()):
            if _apart(stmt, site.stmt):
                continue
            reached = reached or stmt is site.stmt
            around = [a for a in stmt.ancestors() if a is not stmt]
            certain = not any(isinstance(a.node, (*_BRANCHES, *_LOOPS)) for a in around if a not in mine)
            counts = certain and (inside or guard.stmt is stmt or guard.stmt not in around)
            if reached and counts and self._together(stmt, here, there):
                return True
            if reached and isinstance(stmt.node, _LEAVING):
                return False
            there.learn(stmt, certain=certain)
            if subject and not reached and subject not in there.names:
                there.names = {subject}  # it is another one from here on
            if reached:
                here.learn(stmt, certain=True)
        return False

    def is_called(self, text: str) -> bool:
        """Whether the file calls the object named `text`, like a module."""
        return text in self._called

    @cached_property
    def _called(self) -> frozenset[str]:
        return frozenset(dotted(call.func) for call, _ in self.index.calls)

    @cached_property
    def _by_scope(self) -> dict[Scope, list[Stmt]]:
        found: dict[Scope, list[Stmt]] = {}
        for stmt in self.tree.stmts.values():
            found.setdefault(stmt.scope, []).append(stmt)
        for stmts in found.values():
            stmts.sort(key=lambda s: (s.node.lineno, s.node.col_offset))
        return found

    def is_module(self, call: ast.Call, scope: Scope) -> bool:
        """Whether the call is that of a module or a loss: its result is on the device of its arguments."""
        return id(call) in self._modules or (scope, dotted(call.func)) in self._switched

    @cached_property
    def _switched(self) -> frozenset[tuple[Scope, str]]:
        """The names with a call of ``.train()`` or ``.eval()``, by scope: if such an object is called as well, it is a module."""
        return frozenset(
            (stmt.scope, dotted(call.func.value))
            for call, stmt in self.index.calls
            if isinstance(call.func, ast.Attribute)
            and call.func.attr in ("train", "eval")
            and all(isinstance(a, ast.Constant) and isinstance(a.value, bool) for a in call.args)
            and not call.keywords
        )

    @cached_property
    def _modules(self) -> frozenset[int]:
        """The calls of modules and losses."""
        return frozenset(id(e.node) for e in self.context.get(Flow).index.of_kind("call"))

    @cached_property
    def _scattering(self) -> frozenset[int]:
        """The calls of modules in DataParallel or DistributedDataParallel, which take their inputs from anywhere."""
        calls = (e for e in self.context.get(Flow).index.of_kind("call"))
        return frozenset(id(e.node) for e in calls if e.obj is not None and e.obj.kind == "wrapper")

    def _placed(self, device: str) -> set[int]:
        """The calls whose result is on `device`."""
        found = self._on.get(device)
        if found is not None:
            return found
        found = self._on[device] = set()
        for call, _ in self.index.called("to", "cuda"):
            func = call.func
            if (
                isinstance(func, ast.Attribute)
                and func.attr in ("to", "cuda")
                and call.args
                and dotted(call.args[0]) == device
            ):
                found.add(id(call))
        for call, stmt in self.index.told:
            func = call.func
            moves = isinstance(func, ast.Attribute) and func.attr in ("to", "cuda") and call.args
            if not moves and any(k.arg == "device" and dotted(k.value) == device for k in call.keywords):
                name = self.tree.qualname(func, stmt.scope)
                if (name or "").startswith("torch.") or (name is None and isinstance(func, ast.Attribute)):
                    found.add(id(call))
        return found

    def _around(self, scope: Scope, device: str) -> set[str]:
        """The names with values on `device` before the function runs: of the object if the device is its attribute, and of the module."""
        nodes = self._placed(device)
        root, _, attribute = device.partition(".")
        if attribute and scope.parent is not None and scope.parent.is_class:
            owned = {
                text: [w for w in writes if w.stmt.scope.parent is scope.parent]
                for text, writes in self.index.writes.items()
                if text.startswith(root + ".") and text.count(".") == 1
            }
        else:
            owner = scope.lookup(root)
            if owner is None or owner is scope:
                return set()
            owned = {
                text: [w for w in writes if w.stmt.scope is owner]
                for text, writes in self.index.writes.items()
                if "." not in text and scope.lookup(text) is owner
            }
        return {
            text
            for text, writes in owned.items()
            if writes and all(w.value is not None and self._heads(w.value, nodes) for w in writes)
        }

    @staticmethod
    def _heads(value: ast.expr, nodes: set[int]) -> bool:
        """``Net().to(device)``, ``Net().to(device).eval()``"""
        while isinstance(value, ast.Call):
            if id(value) in nodes:
                return True
            func = value.func
            if not isinstance(func, ast.Attribute) or func.attr in _LEAVES:
                return False
            value = func.value
        return False

    def _together(self, stmt: Stmt, here: _Lying, there: _Lying) -> bool:
        """Whether an operation of the statement takes something of both."""
        scope = stmt.scope

        def both(one: Iterable[ast.AST], two: Iterable[ast.AST]) -> bool:
            """Whether one group has a value from here, and the other one from there."""
            one, two = list(one), list(two)
            return (here.any(one, scope) and there.any(two, scope)) or (there.any(one, scope) and here.any(two, scope))

        if isinstance(stmt.node, ast.AugAssign) and both([stmt.node.target], [stmt.node.value]):
            return True
        for part in header(stmt.node):
            for node in walk(part):
                if isinstance(node, ast.BinOp):
                    if both([node.left], [node.right]):
                        return True
                elif isinstance(node, ast.Compare):
                    if both([node.left], node.comparators):
                        return True
                elif isinstance(node, ast.Subscript):
                    # an index of the CPU serves a tensor of any device; one of a GPU no other
                    if there.has(node.value, scope) and here.any([node.slice], scope):
                        return True
                elif isinstance(node, ast.Call) and self._meet_in(node, scope, here, there):
                    return True
        return False

    def _meet_in(self, call: ast.Call, scope: Scope, here: _Lying, there: _Lying) -> bool:
        arguments = [*call.args, *(k.value for k in call.keywords)]
        name = self.tree.qualname(call.func, scope)
        among = here.any(arguments, scope) and there.any(arguments, scope)
        if name is not None:
            # a function of torch; its classes take parts from anywhere
            return (
                among and name.startswith(_TOGETHER) and name.rpartition(".")[2][:1].islower() and name != "torch.save"
            )
        if id(call) in self._scattering:
            return False
        if self.is_module(call, scope) and among:
            return True
        func = call.func
        for one, other in ((here, there), (there, here)):
            if one.any(arguments, scope) and (
                other.has(func, scope)
                or (isinstance(func, ast.Attribute) and func.attr not in _TOLERANT and other.has(func.value, scope))
            ):
                return True
        return False


def _operands(call: ast.Call) -> list[ast.expr]:
    """The arguments of a function of torch that decide where its result is: the positional ones and ``out=``."""
    return [*call.args, *(k.value for k in call.keywords if k.arg == "out")]


def _apart(one: Stmt, two: Stmt) -> bool:
    """Whether two statements are in different arms of one ``if``: no run executes both."""
    pair = common(one, two)
    if pair is None or pair[0] is not pair[1] or one is pair[0] or two is pair[0]:
        return False
    return isinstance(pair[0].node, ast.If)
