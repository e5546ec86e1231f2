"""The must-share domain on the interpreter: `MustShare` records the facts of `device_facts` while it evaluates.

The statements, names, calls and paths are the interpreter's. Any unknown value may be a tensor: the row of an operation in the model has
which of its operands must be on one device, whether they are tensors or not.
"""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, Any, Literal

from placefix import torch_model
from placefix.facts.interpret.calls import Calls
from placefix.facts.interpret.constraint_transfers import TRANSFERS
from placefix.facts.interpret.device_facts import Creation, DeviceFacts, comes_of_creations, relate, sources_of
from placefix.facts.interpret.sequential_layers import CONTAINERS
from placefix.facts.interpret.values import Obj
from placefix.facts.program.ast_names import dotted, unpacks
from placefix.facts.program.statement_forms import yields

if TYPE_CHECKING:
    from collections.abc import Iterable

    from placefix.facts.interpret.device_facts import Fact, Output, Owner
    from placefix.facts.interpret.interpreter_base import Arguments
    from placefix.facts.interpret.state import State
    from placefix.facts.interpret.values import ClassInfo, ObjKind
    from placefix.facts.program.repository import Definition
    from placefix.facts.program.tree import Scope, Stmt

# A value as an operand: it may be a tensor; it is none (a number, a shape, a string); a tuple; a list that grows; a layer of torch.nn; ``self``;
# the device of another value, or one by name.
Role = Literal["value", "number", "tuple", "bag", "layer", "self", "device"]

# Kinds of values that are no tensors.
_NUMBERS: frozenset[ObjKind] = frozenset(
    ("const", "dtype", "flag", "import", "class", "function", "method", "enumerated", "zipped")
)
_RETURNED = "<returned>"  # a name that no code has
_COMPREHENSIONS = (ast.ListComp, ast.SetComp, ast.GeneratorExp, ast.DictComp)


class MustShare(Calls):
    """The interpreter with the must-share domain. Functions of the file are followed, and no others.

    owner: for a method, the summary of its class. attributes: those of ``self`` at the start; layers: those of them that
    are layers, with their classes. arguments_of: the parameters of the function that is run; `tensors` of them are tensors.
    """

    skips_arms = True

    def __init__(
        self, scope: Scope, infos: dict[Scope, ClassInfo], owner: Owner | None, tensors: frozenset[str]
    ) -> None:
        super().__init__(scope.tree, scope.tree.source, infos)
        self.owner = owner
        self.instance: Obj | None = None
        self.creations: list[Creation] = []
        self.called: set[Scope] = set()
        self.attributes: dict[str, Obj] = {}
        self.layers: dict[Obj, str] = {}
        self.unseen_results: dict[Obj, Output] = {}
        self.held_by: dict[Obj, str] = {}  # a tensor of a module that is where an argument of the module is
        self.arguments_of: dict[str, Obj] = {}
        self.ends: list[State] = []  # the states in which the function ends
        self.followed: set[ast.expr] = set()
        self.said: list[Iterable[Fact]] = []
        self._tensors = tensors
        self.bags: set[Obj] = set()  # lists that grow
        self.mappings: dict[Obj, dict[Obj, ast.Subscript]] = {}  # those with items that are read by a name -> the items
        self.results: set[Obj] = set()  # of calls that are not followed
        self.mates: dict[Obj, Obj] = {}  # tensors that are moved to the device of another one, or made there -> that
        self.narrowed: set[Obj] = set()  # values that a test shows to be tensors, on one path at least
        self._now: dict[ast.expr, Obj] = {}  # the value that each expression had the last time
        self.arms: list[tuple[Obj, DeviceFacts]] = []

    # --- the interpreter, in this domain -------------------------------------------------------------

    @property
    def facts(self) -> DeviceFacts:
        """The facts at the current point of the run."""
        return facts_at(self.state)

    def differs(self, before: State, after: State) -> bool:
        """Whether a loop runs again: always."""
        return True

    def may_skip(self, loop: Stmt) -> bool:
        """Whether a loop may not run at all: a `while` may; a `for` is assumed to run once."""
        return isinstance(loop.node, ast.While)

    def found(self, name: str, root: Scope | None) -> Definition | None:
        """No definition: other files are not followed."""
        return None

    def eval(self, node: ast.expr) -> Obj:
        """The value of an expression, with the facts of its operation; an expression that may not run adds none."""
        conditional = node.__class__ in _COMPREHENSIONS and any(g.ifs for g in node.generators)
        before = self.facts.copy() if conditional or node.__class__ is ast.Lambda else None
        value = super().eval(node)
        if before is not None:  # it may not run
            self.state.domain = self.facts.join(before, ()) if conditional else before
        transfer = TRANSFERS.get(node.__class__)
        if transfer is not None:
            value = transfer(self, node, value)
        self._now[node] = value
        return value

    def collected(self, expr: ast.expr) -> Obj:
        """The value of an expression; parameters of modules are not collected."""
        return self.eval(expr)

    def last_value(self, node: ast.expr) -> Obj:
        """The value of an operand of the expression that was evaluated just now."""
        value = self._now.get(node)
        return value if value is not None else self.eval(node)

    def value_at(self, node: ast.expr) -> Obj | None:
        """The value that an expression had the last time; None for one that the run did not come to."""
        return self._now.get(node)

    def aside(self, node: ast.expr) -> Obj:
        """The value of an expression that may not run: it adds no facts."""
        before = self.facts.copy()
        value = super().aside(node)
        self.state.domain = before.join(self.facts, ())
        return value

    def spared(self, node: ast.expr, spared: bool) -> Obj:
        """The value of an arm of a conditional expression; its facts are kept for the join of the arms."""
        before = self.facts.copy()
        value = super().spared(node, spared)
        self.arms.append((value, self.facts))
        self.state.domain = before
        return value

    def narrow(self, test: ast.expr, held: bool) -> None:
        """Record that a value is a tensor where ``isinstance(x, torch.Tensor)`` is true."""
        if isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not):
            self.narrow(test.operand, not held)
        elif isinstance(test, ast.BoolOp) and isinstance(test.op, ast.And) == held:
            for part in test.values:
                self.narrow(part, held)
        elif held and isinstance(test, ast.Call) and test.args and not test.keywords:
            scope = self.scopes_active[-1]
            names = [self.tree.qualname(expr, scope) or dotted(expr) for expr in (test.func, *test.args[1:])]
            if names in (["isinstance", "torch.Tensor"], ["torch.is_tensor"]):
                self.narrowed.add(self.tensor(self.last_value(test.args[0])))

    def executed(self, stmt: Stmt) -> None:
        """Record the facts of a statement after it has run."""
        node = stmt.node
        if isinstance(node, ast.AugAssign):
            old, value = self.last_value(node.target), self.last_value(node.value)
            bound = self._bound(node.target)
            if bound is None or (bound is not old and bound.origin is not None):
                self.operation((old, value), bound or Obj("unknown", node))
        elif isinstance(node, ast.Assign):
            for target in node.targets:
                if isinstance(target, (ast.Tuple, ast.List)):
                    self.shaped(node.value)
                if isinstance(target, ast.Attribute) and target.attr == "data" and isinstance(target.value, ast.Name):
                    moved = self.image(self.last_value(node.value), Obj("unknown", target))
                    self.store_name(target.value.id, moved)  # it is where its new data are
        elif isinstance(node, ast.Return) and self._is_tried():
            for creation in self.facts.through:
                creation.guarded = True

    def _bound(self, target: ast.expr) -> Obj | None:
        """The value that a target was given just now; None for one that is not followed."""
        if isinstance(target, ast.Attribute):
            return self.state.fields.get((self.last_value(target.value), target.attr))
        return self.lookup(target.id) if isinstance(target, ast.Name) else None

    def _is_tried(self) -> bool:
        """Whether a handler may expect a failure here."""
        suites = (s.suite for frame in self.stack for s in (frame.stmt, *frame.stmt.ancestors()))
        return any(s.arm == "body" and s.owner is not None and isinstance(s.owner.node, ast.Try) for s in suites)

    def item_of(self, value: Obj, key: object, node: ast.expr) -> Obj:
        """An item of a value: on the device of the value if that is a tensor."""
        item = super().item_of(value, key, node)
        if item.origin is not node or item is value:
            return item
        if self.is_layer_of(value, item):
            return item
        self.image(value, item)
        if value in self.results:
            item.is_given = value.is_given  # the items of a result need not be on one device
        return item

    def is_layer_item(self, value: Obj) -> bool:
        """Whether a value is one of the layers in a container, on every path: the target of ``for layer in self.layers``."""
        holders = {way.holder for way in value.alts or (value,)}
        return value in self.layers or (len(holders) == 1 and self.is_layer_of(holders.pop(), value))

    def is_layer_of(self, container: Obj | None, item: Obj) -> bool:
        """Whether an item is a layer, because the container is one of layers; records that both are on one device."""
        if container is None or self.layers.get(container) not in CONTAINERS:
            return False
        info = self.owner.info if self.owner is not None and container.base is self.instance else None
        self.layers[item] = info.list_layers.get(container.attr, "") if info is not None else ""
        self.facts.add(("carrier", item), ("implies", container, item), ("implies", item, container))
        return True

    def tensor_op(self, node: ast.expr, operands: tuple[Obj, ...], *args: Any, **options: Any) -> Obj:
        """The result of an operation on tensors."""
        result = super().tensor_op(node, operands, *args, **options)
        if len(operands) == 1 and self._now.get(node) is operands[0]:  # a loop over a tensor: this is one of its items
            result.holder = operands[0]
        return result

    def unknown_parameter(self, argument: ast.arg, scope: Scope) -> Obj:
        """A parameter as a given value; a tensor by its annotation or by `tensors`."""
        value = self._given(super().unknown_parameter(argument, scope))
        if value.kind == "tensor" or (argument.arg in self._tensors and not self.arguments_of):
            self.tensor(value)
        return value

    def bind_parameters(
        self, scope: Scope, ident: int, self_obj: Obj | None, call: ast.expr | None, args: Arguments | None
    ) -> None:
        """Bind parameters; those of the function itself are kept in `arguments_of`."""
        super().bind_parameters(scope, ident, self_obj, call, args)
        if call is None:
            names = scope.function.args
            env = self.state.names(ident)
            self.arguments_of = {a.arg: env[a.arg] for a in (*names.posonlyargs, *names.args, *names.kwonlyargs)}

    def assign_item(self, base: Obj, key: ast.expr, value: Obj) -> None:
        """``base[key] = value``: an indexed assignment has the constraint of an index."""
        super().assign_item(base, key, value)
        self.index_by(base, self.last_value(key))
        self.bags.discard(base)

    def _runs(self, scope: Scope) -> bool:
        node = scope.node
        plain = isinstance(node, ast.FunctionDef) and node.args.vararg is None and not yields(scope)
        return plain and scope.tree is self.own and super()._runs(scope)

    def local_call(self, scope: Scope, self_obj: Obj | None, node: ast.Call, args: Arguments | None = None) -> Obj:
        """The result of a function of the file; unknown if arguments are unpacked in the call."""
        self.called.add(scope)
        if unpacks(node):
            return self.opaque(node, scope.name, receiver=self_obj, args=args)
        return super().local_call(scope, self_obj, node, args)

    def forward(self, module: Obj, node: ast.Call, args: Arguments | None = None) -> Obj:
        """A call of a module; a call of ``self`` runs `forward`."""
        own = module.cls.methods.get("forward") if module is self.instance and module.cls is not None else None
        return self.local_call(own, module, node, args) if own is not None else super().forward(module, node, args)

    def call_scope(
        self, scope: Scope, self_obj: Obj | None = None, call: ast.expr | None = None, args: Arguments | None = None
    ) -> Obj:
        """Run a function's body; the call is recorded as followed."""
        value = super().call_scope(scope, self_obj, call, args)
        if call is not None:
            self.followed.add(call)
        return value

    def _joined(self, returned: list[tuple[Obj, State]], since: int) -> Obj | None:
        if not self.returns:  # of the function itself
            self.ends = [state for _, state in returned] + ([] if self.state.dead else [self.state])
            return None
        for value, state in returned:
            state.put(0, _RETURNED, value)
        if self.state.dead != "return":
            self.state.put(0, _RETURNED, Obj("const"))
        super()._joined(returned, since)
        return self.state.get(0, _RETURNED)

    def move(self, receiver: Obj, attr: str, node: ast.Call) -> Obj:
        """A move of a module; a moved tensor is an unknown value."""
        if receiver.is_module:
            return super().move(receiver, attr, node)
        self.arguments(node)
        return Obj("unknown", node)

    # --- values ------------------------------------------------------------------------------------

    def role(self, value: Obj) -> Role:
        """The role of a value as an operand."""
        if value.is_number or value.kind in _NUMBERS:
            return "number"
        if value.is_device:
            return "device"
        if value is self.instance:
            return "self"
        if value in self.layers:
            return "layer"
        if value in self.bags:
            return "bag"
        return "tuple" if value.is_sequence and value.items is not None else "value"

    @staticmethod
    def _given(value: Obj) -> Obj:
        value.is_given = True
        return value

    def tensor(self, value: Obj, *, dims: bool = False) -> Obj:
        """A value that is a tensor, or the program fails here; `dims`: with a dimension."""
        if self.role(value) == "value":
            self.facts.add(("tensor", value), *((("dims", value),) if dims else ()))
        return value

    def is_tensor(self, value: Obj) -> bool:
        """Whether a value is a tensor on every path here."""
        return ("tensor", value) in self.facts.known

    def has_dims(self, value: Obj) -> bool:
        """Whether a value has a dimension on every path here."""
        return ("dims", value) in self.facts.known

    @staticmethod
    def number(value: Obj) -> Obj:
        """The result of an expression that is no tensor."""
        value.is_number = True
        return value

    def image(self, value: Obj, result: Obj, *, dims: bool = False) -> Obj:
        """`result` is a tensor on the device of `value`, if that is one; `dims`: with a dimension if that has one."""
        if self.role(value) in ("number", "device"):
            return self.number(result)
        result.sources = sources_of([value])
        result.creations = value.creations
        self.facts.add(
            ("implies", value, result), ("implies", result, value), ("like" if dims else "of", result, value)
        )
        self._inherit(result, value, dims=dims)
        return result

    def beside(self, mate: Obj, result: Obj) -> Obj:
        """`result` is a tensor on the device of `mate`, with other values."""
        self.mates[result] = mate
        result.creations, result.is_given = mate.creations, not mate.creations
        self.facts.add(("implies", mate, result), ("implies", result, mate))
        return result

    def _inherit(self, result: Obj, source: Obj, *, dims: bool) -> None:
        if self.is_tensor(source):
            self.facts.add(("tensor", result))
        if dims and self.has_dims(source):
            self.facts.add(("dims", result))

    def computed_of(self, result: Obj, values: Iterable[Obj]) -> Obj:
        """A result with nothing known but the values it was computed from."""
        result.sources = sources_of(values)
        return result

    def index_by(self, value: Obj, index: Obj) -> None:
        """``value[index]``: a tensor of the CPU takes no index from another device."""
        for part in index.items or (index,):
            if self.role(part) == "value":
                self.facts.add(("implies" if self.has_dims(part) else "indexed", value, part))

    def operation(self, operands: Iterable[Obj], result: Obj, *, dims: bool = True) -> Obj:
        """An operation that refuses tensors of unlike devices; `dims`: its result has a dimension where an operand has."""
        found = [o for o in self.flat(operands) if self.role(o) in ("value", "bag")]
        if not found:
            return self.number(result)
        result.sources = sources_of(found)
        made = [o for o in found if o.creations]
        shaped = all(map(self.has_dims, made)) and all(self.role(o) == "value" for o in found)
        if comes_of_creations(found, made, shaped=shaped, constructs=self.stack[0].stmt.scope.name == "__init__"):
            result.creations = frozenset().union(*(o.creations for o in made))
        relate(made)
        facts = self.facts
        for one in found:
            facts.add(("meets", one, result), ("implies", result, one), ("like" if dims else "of", result, one))
            self._inherit(result, one, dims=dims)
            facts.add(*(("meets", one, other) for other in found if other is not one))
            if one in self.bags:
                facts.open_list(one, result)
        return result

    def flat(self, values: Iterable[Obj], depth: int = 0) -> list[Obj]:
        """The values, and the items of tuples instead of the tuples."""
        found: list[Obj] = []
        for value in values:
            if self.role(value) == "tuple" and depth < 3:
                found += self.flat(value.items or (), depth + 1)
            else:
                found.append(value)
        return found

    def multiplied(self, factors: Iterable[Obj]) -> None:
        """The factors of a matrix product have a dimension, on any device."""
        self.facts.add(*(("dims", factor) for factor in factors if self.role(factor) == "value"))

    def shaped(self, sizes: ast.expr) -> None:
        """Numbers are taken out of `sizes`: if that is ``x.shape``, or a slice of it, `x` has a dimension."""
        if isinstance(sizes, ast.Subscript):
            sizes = sizes.value
        if isinstance(sizes, ast.Attribute) and sizes.attr == "shape":
            owner = self.last_value(sizes.value)
            if self.role(owner) == "value":
                self.facts.add(("dims", owner))

    def names(self) -> dict[str, Obj]:
        """The values of the names where the run is."""
        names = dict(self.state.env[0])
        inner = self.envs.get(self.scopes_active[-1], 0)
        names.update(self.state.env.get(inner, {}))  # it is missing while nothing is bound there
        for overlay in self.overlays:
            names.update(overlay)
        return names

    # --- expressions ------------------------------------------------------------------------------

    def _of_attribute(self, node: ast.Attribute, value: Obj) -> Obj:
        base = self.last_value(node.value)
        role, attr = self.role(base), node.attr
        if role == "self":
            return self._own(attr, node, value)
        if base.is_import:
            return value
        if attr == "device" and role != "number":
            if value.is_device:
                value.base = self.tensor(base)
                base.sources |= frozenset((base,) if base.sources else ())  # a part of an argument that may be anywhere
            return value
        if (item := self.item_attribute(base, attr)) is not None:
            return self._own(item, node, value)
        if role == "layer" and attr in ("weight", "bias"):
            return self._weight(base, value)
        if role in ("number", "device", "layer"):
            return self.number(value)
        if torch_model.attribute(attr) is not None and torch_model.stays(attr):
            return self.image(base, value, dims=True)
        if torch_model.is_answer(attr):
            return self.number(value)
        return self.computed_of(value, (base,)) if value.origin is node else value

    def item_attribute(self, container: Obj, attr: str) -> str | None:
        """The text of ``heads.mask`` in ``self.heads.mask``, which reads a layer in a ModuleDict; None for other attributes."""
        item = f"{container.attr}.{attr}"
        held = container in self.layers and self.owner is not None and item in self.owner.info.dict_layers
        return item if held else None

    def _own(self, attr: str, node: ast.expr, value: Obj | None) -> Obj:
        """``self.attr``: the value that was assigned here, else the one of the start. value: the interpreter's."""
        assert self.instance is not None
        start = self.attributes.get(attr)
        held = self.state.fields.get((self.instance, attr))
        if held is not None and held is not start and held is not value:
            return held
        if value is not None and value is not start:
            if value.origin is not node or value.kind not in ("part", "unknown"):
                return value
        if start is None:
            start = self.attributes[attr] = self._at_start(attr)
        self.state.fields[self.instance, attr] = start
        if start in self.layers:
            self.facts.add(("carrier", start), ("dims", start))
        elif start.creations:  # a plain attribute: certain only of paths that read it
            count = self.owner.plain[attr].dimensions if self.owner is not None else 0
            for creation in start.creations - self.facts.through.keys():
                self.facts.pass_by(creation, ("tensor", start), *self.facts.of_dimensions(start, count))
        elif self.owner is not None and attr in self.owner.parameters:
            self.facts.add(("tensor", start), *self.facts.of_dimensions(start, self.owner.dimensions.get(attr, 0)))
        return start

    def _at_start(self, attr: str) -> Obj:
        """The value of ``self.attr`` at the start of a method."""
        value = Obj("part", base=self.instance, attr=attr)
        owner = self.owner
        if owner is None:
            return self._given(value)
        held = (owner.info.layers, owner.info.dict_layers, owner.info.optional_layers)
        layer = next((layers[attr] for layers in held if attr in layers), "" if attr in owner.parts else None)
        if layer is not None:
            self.layers[value] = layer
        elif attr in owner.plain and attr not in owner.parameters:
            plain = owner.plain[attr]
            creation = Creation(plain.node, plain.stmt, value, {}, guarded=False, spared=False)
            creation.has_unseen_dimensions = plain.has_unseen_dimensions
            self.creations.append(creation)
            value.creations = frozenset((creation,))
            return value
        return self._given(value)

    def _weight(self, layer: Obj, weight: Obj) -> Obj:
        """A tensor on the device of a layer."""
        weight.sources = sources_of([layer])
        self.facts.add(("tensor", weight), ("implies", layer, weight), ("implies", weight, layer))
        return weight


def facts_at(state: State) -> DeviceFacts:
    """The facts of a state of such a run."""
    assert isinstance(state.domain, DeviceFacts)
    return state.domain


TRANSFERS[ast.Attribute] = MustShare._of_attribute
