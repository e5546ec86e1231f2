"""Tensors in the abstract interpreter: factories, operations, moves and devices."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, Any

from placefix import torch_model
from placefix.facts.interpret.events import ways
from placefix.facts.interpret.interpreter_base import Machine, is_of_unseen_module
from placefix.facts.interpret.module_effects import effect_inside
from placefix.facts.interpret.moved_values import tensor_moved
from placefix.facts.interpret.values import HOST, UNKNOWN_PLACE, Obj, Place, whole_of
from placefix.facts.naming import last, names_device_option, names_device_or_number, names_dtype
from placefix.facts.program.ast_names import dotted, keyword_value, literal_int, may_give, name_of
from placefix.facts.program.device_values import Device, device_of_word, is_numbered
from placefix.facts.program.factory_dimensions import dimensions
from placefix.facts.program.outside_callers import defaults_to_device
from placefix.facts.wording import unite

if TYPE_CHECKING:
    from collections.abc import Collection

    from placefix.facts.interpret.interpreter_base import Arguments
    from placefix.facts.interpret.values import Event
    from placefix.torch_model.rows import Operand, Operator


class Tensors(Machine):
    """Evaluates operations on tensors, and the destinations of moves."""

    def tensor_like(self, base: Obj, node: ast.expr, *, scalar: bool = False) -> Obj:
        """A tensor on the device of `base` that derives from it; `scalar`: it may be 0-dim."""
        return Obj(
            "tensor",
            node,
            place=base.place,
            roots=_roots_of(base),
            premises=base.premises,
            maybe=base.maybe or scalar,
            mixed=base.mixed,
        )

    def tensor_op(
        self,
        node: ast.expr,
        operands: tuple[Obj, ...],
        exprs: tuple[ast.expr, ...] = (),
        what: str = "operand",
        *,
        strict: Collection[Obj] = (),
        into: Obj | None = None,
    ) -> Obj:
        """An operation that needs its tensors on one device; 0-dim ones mix freely, but for those that are `strict`.

        into: the operand that the result is written to, which never mixes.
        """
        tensors = [(o, e) for o, e in zip(operands, exprs or (node,) * len(operands)) if o.is_tensor_like]
        placed = next((o for o, _ in tensors if self.on_device(o)), None)
        if placed is not None:
            never_mix = {*strict} if into is None else {*strict, into}
            result = self._operate_on(placed, tensors, never_mix, node, what)
            result.mixed = _is_mixed([o for o, _ in tensors if self.on_device(o)], operands, strict)
            return result
        for operand, expr in tensors:
            beside = any(_ties_to_host(other, operand) for other, _ in tensors if other is not operand)
            self.use(operand, "host operand" if beside else "neutral", expr)
        hosts = _deciding_hosts([o for o, _ in tensors])
        return Obj(
            "tensor",
            node,
            place=HOST if hosts else UNKNOWN_PLACE,
            roots=frozenset[Obj]().union(*(_roots_of(o) for o in hosts or [o for o, _ in tensors])),
            premises=unite(*(o.premises for o, _ in tensors)),
            maybe=what == "loss" or (bool(tensors) and all(o.maybe for o, _ in tensors)),
            mixed=_is_mixed(hosts, operands, strict),
        )

    def _operate_on(
        self, placed: Obj, tensors: list[tuple[Obj, ast.expr]], never_mix: Collection[Obj], node: ast.expr, what: str
    ) -> Obj:
        """An operation with an operand on a device (`placed`): operands on the CPU are conflicts, unless they are 0-dim and mix."""
        for operand, expr in tensors:
            mixes = operand.maybe and operand not in never_mix
            if operand.place is not None and operand.place.is_host and not mixes:
                own = expr if expr not in self.containers else None
                self.event("conflict", node, operand, place=placed.place, what=what, arg_node=own, args=(placed,))
            if not mixes and _is_copied(operand):
                own = next(e for o, e in tensors if o is placed)
                self.event("copied", node, placed, place=operand.place, what=what, arg_node=own, args=(operand,))
            self.use(operand, "device", expr)
        there = [o.premises for o, _ in tensors if self.on_device(o)]
        return Obj("tensor", node, place=placed.place, premises=min(there, key=len))  # one that is proven is enough

    def tensor_method(self, receiver: Obj, attr: str, node: ast.Call) -> Obj:
        """receiver.attr(…), moves apart."""
        args = self.arguments(node)
        for member in receiver.members:  # next(net.parameters()).requires_grad_(False)
            self.touch(member, effect_inside(attr))
        if torch_model.is_answer(attr):
            self.use(receiver, "neutral", node)
            return Obj("unknown", node)
        operator = torch_model.method(attr)
        if attr == "__array__" or (operator is not None and "host" in operator.marks):
            self.use(receiver, "host", node)
            if attr == "numpy" and self.on_device(receiver):
                self.event("host", node, receiver, place=receiver.place, what="numpy", arg_node=node.func.value)  # type: ignore[attr-defined]
            return Obj("unknown", node)
        if receiver.is_element and receiver.value != "tensor" and attr in ("items", "values", "keys"):
            self.use(receiver, "mapping", node)
            return self.item_of(receiver, attr, node)
        if attr == "type":
            return self._typed(receiver, node, args)
        if operator is not None and operator.device not in ("moves", "unknown", "cpu"):
            return self._computed(receiver, operator, attr, node, args)
        for _, expr, value in args:
            for item in self.flatten(value):
                self.opaque_argument(item, False, expr)
        self.use(receiver, "opaque", node)
        return Obj("tensor", node, place=UNKNOWN_PLACE)

    def _computed(self, receiver: Obj, operator: Operator, attr: str, node: ast.Call, args: Arguments) -> Obj:
        """A method whose result is on the device of the tensor, unless an argument decides."""
        given = [(keyword, (tensor_moved(self, value, expr), expr)) for keyword, expr, value in args]
        shared = operator.shared(given, method=True)
        others = [
            (value, expr, operand)
            for (value, expr), operand in shared
            if value.is_tensor_like or (value.is_unknown and not operator.may_be_dimension(operand))
        ]
        if receiver.is_element and torch_model.is_tensor_method(attr):
            receiver.value = "tensor"
        if any(keyword == "device" for keyword, _, _ in args):
            return Obj("tensor", node, place=UNKNOWN_PLACE)  # x.new_zeros(3, device=d)
        if operator.device == "other":  # x.type_as(y)
            self.use(receiver, "moved", node)
            placed = next((v for _, _, v in args if v.is_tensor_like), None)
            return Obj("tensor", node, place=placed.place if placed is not None else UNKNOWN_PLACE)
        if not others:
            return self._shaped(operator, self.tensor_like(receiver, node), node, given=bool(args), first=receiver)
        func = node.func.value if isinstance(node.func, ast.Attribute) else node
        strict = [value for value, _, operand in others if not operator.takes_scalar(operand)]
        if operator.operands and not operator.takes_scalar(operator.operands[0]):
            strict.append(receiver)
        result = self.tensor_op(
            node,
            (receiver, *(value for value, _, _ in others)),
            (func, *(expr for _, expr, _ in others)),
            strict=strict,
            into=receiver if attr.endswith("_") else None,
        )
        return self._shaped(operator, result, node, given=True, first=receiver)

    @staticmethod
    def _shaped(operator: Operator, result: Obj, node: ast.Call, *, given: bool, first: Obj | None) -> Obj:
        """The result of an operator, and its dimensions; given: it has arguments after its first operand."""
        if not operator.gives_tensor:
            return Obj("unknown", node)
        if operator.rank in ("may", "") or "loss" in operator.marks or (operator.rank == "reduces" and not given):
            result.maybe = True
        elif operator.rank == "adds" or (operator.rank == "sizes" and given):
            result.maybe = False
            result.dims = 1
        elif operator.gives_several:  # x.max(1): the values, with a dimension as x has two, and the indices
            axis = literal_int(keyword_value(node, "dim") or (node.args[-1] if node.args else None))
            result.dims = axis + 1 if axis is not None and axis > 0 else 0
        elif operator.rank in ("keeps", "input") and first is not None:
            result.dims = first.dims
        return result

    def _typed(self, receiver: Obj, node: ast.Call, args: Arguments) -> Obj:
        """``x.type(given)``: a type may name another device."""
        if not args:
            self.use(receiver, "neutral", node)
            return Obj("unknown", node)
        given = args[0][2]
        if given.kind not in ("dtype", "const") and not given.name.startswith("torch."):
            return Obj("tensor", node, place=UNKNOWN_PLACE)
        if "cuda" in given.name or "cuda" in str(given.value):
            self.use(receiver, "moved", node)
            return Obj("tensor", node, place=UNKNOWN_PLACE)
        if torch_model.is_factory(given.name):
            self.use(receiver, "neutral", node)  # torch.FloatTensor is a type of the CPU: a new tensor there
            made = Obj("tensor", node, place=HOST, name=given.name, maybe=receiver.maybe)
            made.roots = frozenset((made,))
            self.makes_on_host = True
            return made
        return self.tensor_like(receiver, node)

    def factory(self, name: str, node: ast.Call, args: Arguments) -> Obj:
        """A call that makes a tensor."""
        place = self._made_at(node, args)
        if (given := self._of_given(name, node, args, place)) is not None:
            return given
        first = args[0][2] if args else None
        listed, dims = first is None or first.is_sequence, dimensions(name, node)
        scalar = name in ("torch.tensor", "torch.scalar_tensor") and not listed and not dims
        data = first is not None and (listed or first.is_constant or first.name.startswith("numpy."))
        if data and torch_model.leaves_tensors(name):
            name = "torch.tensor"  # no tensor was given
        return self.new_tensor(name, node, place, maybe=scalar, dims=dims)

    def new_tensor(self, name: str, node: ast.Call, place: Place, **options: Any) -> Obj:
        """A tensor that a call makes, and that is computed of no other one. name: of the factory; options: of `Obj`."""
        tensor = Obj("tensor", node, place=place, name=name, **options)
        tensor.roots = frozenset((tensor,))
        self.makes_on_host |= place.is_host
        self.event("factory", node, tensor, place=place, what=name)
        return tensor

    def _of_given(self, name: str, node: ast.Call, args: Arguments, place: Place) -> Obj | None:
        """The tensor that a factory makes of tensors, where they are; None for others."""
        given = args[0][2] if args and args[0][2].is_tensor_like else None
        if torch_model.leaves_tensors(name) and given is not None:
            made = self.tensor_like(given, node)
            if any(keyword == "device" for keyword, _, _ in args):
                made.place, made.roots = place, frozenset()
            return made
        if name == "torch.tensor" and place is HOST and given is not None:
            return self.tensor_like(given, node)  # a copy on the same device
        if name == "torch.normal" and place is HOST and not may_give(node, "size", position=2):
            drawn = [(v, e) for _, e, v in args if v.is_tensor_like]
            made = self.tensor_op(node, tuple(v for v, _ in drawn), tuple(e for _, e in drawn))
            return made if len(drawn) == len(args) else Obj("tensor", node, place=UNKNOWN_PLACE)
        return None

    def _made_at(self, node: ast.Call, args: Arguments) -> Place:
        """Where a factory makes its tensor."""
        place = HOST
        for keyword, expr, value in args:
            if keyword == "device":
                device = self.device_of(expr, value)
                place = Place("device", device) if device is not None and not _of_host(value) else UNKNOWN_PLACE
        if place is HOST and (any(k.arg is None for k in node.keywords) or self.ambient_device()):
            return UNKNOWN_PLACE  # **options may hold a device
        return place

    def ambient_device(self) -> bool:
        """Whether something in the file makes factories yield device tensors."""
        return self.ambient or defaults_to_device(self.tree)

    def torch_function(self, name: str, node: ast.Call, args: Arguments) -> Obj:
        """A function of torch over tensors."""
        operator = torch_model.function(name)
        operands, exprs, strict = self._operands(operator, args)
        if operator is not None and "loss" in operator.marks:
            for one in operands:
                if one.is_element:
                    one.value = "tensor"
        self.taken(*(value for _, _, value in args))
        if any(keyword == "device" for keyword, _, _ in args):
            return Obj("tensor", node, place=UNKNOWN_PLACE)  # torch.zeros_like(x, device=d)
        result = self.tensor_op(node, tuple(operands), tuple(exprs), strict=strict)
        if operator is None:
            return result
        first = args[0][2] if args else None
        if operator.device == "input" and first is not None and first.is_tensor_like:
            result = self.tensor_like(first, node)
        elif not operator.follows and operator.gives_tensor:
            return Obj("tensor", node, place=UNKNOWN_PLACE)
        return self._shaped(operator, result, node, given=len(args) > 1, first=first)

    def _operands(self, operator: Operator | None, args: Arguments) -> tuple[list[Obj], list[ast.expr], list[Obj]]:
        """The tensors that a function needs together, their expressions, and those of them that mix with no device though they are 0-dim;
        the other arguments are noted as used. None: a function that the model has not."""
        operands: list[Obj] = []
        exprs: list[ast.expr] = []
        strict: list[Obj] = []
        shared = dict(operator.shared([(keyword, expr) for keyword, expr, _ in args])) if operator is not None else {}
        for _, argument, value in args:
            operand = shared.get(argument)
            apart = _use_apart(operator, operand)
            if operand is not None and operand.several:
                self.use_as_sequence(value, argument)
            mixes = operator is None or operand is None or operator.takes_scalar(operand)
            for part, expr, own in self.parts(value, argument):
                item = tensor_moved(self, part, expr) if operand is not None and not apart and own else part
                if not own:
                    self.containers.add(expr)
                if apart or (operator is None and item is not value):  # numbers, as in size=[height, width]
                    self.use(item, apart or "neutral", expr)
                elif _may_be_tensor(item, operand):
                    operands.append(item)
                    exprs.append(expr)
                    strict += [] if mixes else [item]
        return operands, exprs, strict

    def move(self, receiver: Obj, attr: str, node: ast.Call) -> Obj:
        """x.to(d), x.cuda(), x.cpu(): records the move and where it goes."""
        device, given = self.target_device(attr, node)
        if device is None:
            return self._retyped(receiver, node)
        event = self.event("place", node, receiver, place=Place("device", device), what=attr)
        place = event.place = Place("device", device, event if not self.abroad or self.crossing is not None else None)
        if _of_host(given):
            place = UNKNOWN_PLACE
        if receiver.is_module:
            event.args = (receiver.root(),)
            self._place_module(receiver.root(), place, event)
            return receiver
        if receiver.is_tensor_like:
            return self._moved_tensor(receiver, node, place)
        if receiver.is_part:
            if receiver.attr in ("weight", "bias", "data", "grad"):
                return Obj("tensor", node, place=place)  # a tensor's move leaves the module alone
            whole = whole_of(receiver)
            if whole is not None:
                self._place_part(whole, event)
                self.state.place[receiver] = place
        elif receiver.is_unknown:
            self.touch_part(receiver, "part placed")
            # should it turn out to be a module
            self.state.place[receiver] = UNKNOWN_PLACE if device.is_cpu else place
        return receiver

    def _retyped(self, receiver: Obj, node: ast.Call) -> Obj:
        """``x.to(…)`` with no known device: another dtype, unless its argument may be a device."""
        if receiver.is_module:
            self.touch(receiver.root(), "params")
            if self.may_be_device(node):
                for part in (receiver.root(), *self.parts_left(receiver.root())):
                    self.state.place[part] = UNKNOWN_PLACE
        elif receiver.is_tensor_like:
            result = self.tensor_like(receiver, node)
            if self.may_be_device(node):
                self.use(receiver, "moved", node)
                result.place, result.roots = UNKNOWN_PLACE, frozenset()
            return result
        return receiver

    def _place_module(self, root: Obj, place: Place, event: Event) -> None:
        self.touch(root, "place")
        self.state.place[root] = place
        if root in self.outsiders:
            self.outsiders[root].append(place)
        for part in self.parts_left(root):
            self.state.place[part] = place
        for way in ways(root):  # placed on the paths on which it is this one
            self.state.place.setdefault(way.root(), Place("mixed", place.device, event))
        if root.base is not None and root.kind == "module" and root.base.is_module:
            self._place_part(root.base.root(), event)

    def _place_part(self, whole: Obj, event: Event) -> None:
        """Some part of a module is placed: the module is on several devices, unless it was placed as well."""
        if whole not in self.state.place and event.place is not None:
            self.state.place[whole] = Place("mixed", event.place.device, event)
        self.touch(whole, "part placed")

    def _moved_tensor(self, receiver: Obj, node: ast.Call, place: Place) -> Obj:
        self.use(receiver, "moved", node)
        element = receiver.is_element
        if element and receiver.value != "tensor" and isinstance(self.stack[-1].stmt.node, ast.Expr):
            receiver.place = UNKNOWN_PLACE  # a batch object may move in place
        result = Obj("tensor", node, place=place, name="moved batch" if element else "moved")
        result.members, result.dims = receiver.members, receiver.dims
        if receiver.whole is not None:
            result.premises = receiver.premises  # that it is a tensor
        return result

    def may_be_device(self, call: ast.Call) -> bool:
        """Whether an argument of ``x.to(…)`` that is not known to be a device may still be one, or a tensor."""
        given = [*call.args, *(k.value for k in call.keywords if k.arg in (None, "device", "other"))]
        values = [self.eval(a) for a in given if not isinstance(a, ast.Constant) and not names_dtype(last(dotted(a)))]
        return any(v.kind not in ("dtype", "const") and not v.name.startswith("torch.") for v in values)

    def target_device(self, attr: str, node: ast.Call) -> tuple[Device | None, Obj | None]:
        """The device a move goes to, None for a change of type only; and the argument that names it."""
        args = self.arguments(node)
        if attr == "cpu":
            return Device("cpu", '"cpu"'), None
        first = next(((e, v) for k, e, v in args if k in (None, "device")), None)
        if attr in ("cuda", "xpu"):
            if first is None or (
                isinstance(first[0], ast.Constant) and (first[0].value is None or isinstance(first[0].value, bool))
            ):
                return Device("cuda", ""), None
            if first[1].is_constant and isinstance(first[1].value, int):
                return Device("cuda", "", first[1].value), None
            known = self.device_of(first[0], first[1])
            if known is None or not known.is_cuda_or_conditional:
                known = Device("index", self.source.code(first[0]))
            return known, None
        if first is None:
            return None, None
        return self.device_of(*first), first[1]

    def device_of(self, expr: ast.expr, value: Obj) -> Device | None:
        """The device an argument denotes, or None when it is none (a dtype, None, unknown)."""
        if value.is_import:
            value = self.value_of(value)
        # The text of other files is not written here; a device that this file passes to them has its text here.
        text = self.source.code(expr) if not self.abroad else self.passed_devices.get(value, "")
        if value.is_device and value.device is not None:
            return value.device._replace(text=text)
        if value.is_tensor_like:
            return Device("tensor", text + ".device" if text else "")
        if value.is_constant:
            return _device_of_constant(value, text)
        if is_numbered(expr):
            return Device("index", text)
        return _device_by_name(expr, text) if value.kind in ("unknown", "part", "import") else None


def _use_apart(operator: Operator | None, operand: Operand | None) -> str:
    """The use of an argument that the function does not need on the device of the others; "" if it does."""
    if operator is not None and operator.device == "unknown":
        return "opaque"
    # a number, or a tensor on an unknown device
    return "neutral" if operator is not None and operand is None else ""


def _is_copied(operand: Obj) -> bool:
    """Whether a tensor is, or is computed of, the copy on the CPU of one with a dimension on a device: ``out.cpu()``."""
    place = operand.place
    if place is None or not place.is_device or place.is_off_cpu or place.event is None:
        return False
    copied = place.event.obj
    return copied.place is not None and copied.place.is_off_cpu and not copied.maybe


def _deciding_hosts(tensors: list[Obj]) -> list[Obj]:
    """The operands on the CPU if the result of an operation, none of whose operands is known to be on a device, is on the CPU as well."""
    hosts = [o for o in tensors if o.place is not None and o.place.is_host]
    if len(hosts) < len(tensors):  # one with a dimension refuses those of a device
        hosts = [o for o in hosts if not o.maybe and not is_of_unseen_module(o)]
    return hosts


def _may_be_tensor(value: Obj, operand: Operand | None) -> bool:
    """Whether a value is a tensor, or one whose kind is not known for an operand that is one; operand None: none that the model knows."""
    return value.is_tensor_like or (operand is not None and value.is_unknown)


def _is_mixed(deciding: list[Obj], operands: Collection[Obj], strict: Collection[Obj]) -> bool:
    """Whether the result of an operation may lie elsewhere than the operands that decide where it lies: none of them certainly has a
    dimension, or is `strict`, and another operand may be a tensor of any device."""
    sure = [o for o in deciding if not o.mixed]
    if any(o.dims or o in strict for o in sure):
        return False
    return not sure or any(o not in sure and not o.is_constant for o in operands)


def _roots_of(base: Obj) -> frozenset[Obj]:
    """The elements and creations that a tensor, or one computed of it, derives from."""
    return base.roots | {base} if base.is_element else base.roots


def _ties_to_host(other: Obj, operand: Obj) -> bool:
    """Whether an operand must stay on the CPU because `other` is there: it is no batch, and both derive from different
    creations, so a move of one does not move the other."""
    host = other.place is not None and other.place.is_host
    return host and not (other.roots & operand.roots) and not other.is_element


def _device_of_constant(value: Obj, text: str) -> Device | None:
    """``"cuda:1"``, or the number of a device."""
    given = value.value
    if isinstance(given, str):
        return device_of_word(given, text)
    if isinstance(given, int) and not isinstance(given, bool) and value.origin is not None:
        return Device("index", text, given)
    return None


def _device_by_name(expr: ast.expr, text: str) -> Device | None:
    """The device by the name of an unknown value: ``gpu_ids[0]``, ``args.device``, ``cfg["device"]``, ``get_device()``."""
    if isinstance(expr, ast.Subscript) and isinstance(expr.slice, ast.Constant) and isinstance(expr.slice.value, int):
        names = dotted(expr.value).rpartition(".")[2]
        return Device("index", text) if names.endswith("s") and names_device_or_number(names) else None
    name = name_of(expr) or name_of(expr.func if isinstance(expr, ast.Call) else expr)
    is_device = names_device_or_number(name) or names_device_option(name) or name.endswith("get_device")
    return Device("other", text) if is_device else None


def _of_host(given: Obj | None) -> bool:
    """Whether a device is that of a tensor that nothing moved, ``x`` or ``x.device``: the CPU, or the default device where the file sets one."""
    tensor = given.base if given is not None and given.is_device else given
    if tensor is None or not tensor.is_tensor_like or tensor.place is None:
        return False
    return tensor.place.is_host or (tensor.place.is_unknown and torch_model.is_factory(tensor.name))
