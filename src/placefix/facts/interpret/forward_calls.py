"""Calls of modules in the abstract interpreter: the devices of the module, its inputs and its output."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, NamedTuple

from placefix import torch_model
from placefix.facts import premises
from placefix.facts import torch_api as api
from placefix.facts.interpret.class_summaries import holds_nothing
from placefix.facts.interpret.forward_parameters import (
    ANYTHING,
    forward_argument,
    forward_parameter,
    moves_inputs,
    packed_by,
)
from placefix.facts.interpret.forward_results import host_results, returns_tuple
from placefix.facts.interpret.inlining import OwnCode
from placefix.facts.interpret.interpreter_base import WORLD, is_of_unseen_module
from placefix.facts.interpret.moved_values import tensor_moved
from placefix.facts.interpret.sequential_layers import CONTAINERS
from placefix.facts.interpret.values import HOST, UNKNOWN_PLACE, Obj, outermost
from placefix.facts.naming import names_lengths
from placefix.facts.program.ast_names import dotted
from placefix.facts.wording import unite
from placefix.torch_model import modules

if TYPE_CHECKING:
    from collections.abc import Sequence

    from placefix.facts.interpret.interpreter_base import Arguments
    from placefix.facts.interpret.values import Place
    from placefix.facts.program.tree import Scope
    from placefix.facts.wording import Premise

# A wrapper that hands its inputs on as they are.
LEAVES = "leaves"
_ONE_OF_CLASSES = (premises.ONE_OF_CLASSES(classes="").key,)


class ForwardCall(NamedTuple):
    """A call of a module, and the facts about the module that decide its device rules."""

    module: Obj
    root: Obj  # the module under all wrappers
    node: ast.Call
    place: Place
    known: bool  # its code is known, and leaves at least some of its inputs on their device
    stays: bool  # no code of it moves inputs, as far as is known
    meets: bool  # an input meets something on its device: a parameter, a buffer, another input
    beside: Place | None  # the device of the first input on one, if the module uses that as a tensor

    @property
    def is_placed(self) -> bool:
        """Whether the module is on a device other than the CPU."""
        return self.place.is_off_cpu

    @property
    def scatters(self) -> bool:
        """Whether a wrapper around the module moves the inputs to the devices."""
        return self.module.is_wrapper and not self.module.maybe and self.module.value != LEAVES

    @property
    def runs_in_place(self) -> bool:
        """Whether nothing around the module moves it: DDP does not, DataParallel may."""
        return self.module.kind == "module" or (self.module.wrap == api.DDP and not self.module.maybe)


class ForwardCalls(OwnCode):
    """Evaluates calls of modules."""

    def forward(self, module: Obj, node: ast.Call, args: Arguments | None = None) -> Obj:
        """model(x, …): the device rules of a forward call. args: None for those of the call."""
        return self._run_forward(module, node, self.arguments(node) if args is None else args)

    def _run_forward(self, module: Obj, node: ast.Call, args: Arguments) -> Obj:
        module, root = module.uncompiled(), module.root()
        written = self.state.fields.get((root, "forward"))
        if written is not None and not _is_own_forward(root, written):
            if written.kind == "function" and written.scope is not None:
                return self.local_call(written.scope, None, node, args)
            return self.opaque(node, "forward", receiver=module, args=args)
        self.touch(root, "call")
        args = [(keyword, expr, tensor_moved(self, value, expr)) for keyword, expr, value in args]
        place = self.place_of(module)
        if root in self.outsiders and place == UNKNOWN_PLACE:
            place = self._place_by_use(root, node, args)
        if root.loss:
            return self._loss(module, node, place, args)
        self.event("call", node, module, place=place, args=tuple(v for _, _, v in args))
        placed = next((v for _, _, v in args if self.on_device(v)), None)
        call = self._forward_call(module, node, place, args)
        self._modules_left(call, placed)
        for position, (keyword, argument, value) in enumerate(args):
            held = value.base if value.kind == "encoding" else None  # it is repaired as a tensor is
            for item, expr, own in self.parts(held or value, argument):
                if item.is_module:
                    self.touch(item.root(), "opaque")
                if item.is_tensor_like:
                    self._input(call, item, expr, position, keyword, own=own)
        if args and all(value.is_module for _, _, value in args):
            return Obj("unknown", node)  # ``converter(net)`` may give another module
        output = self._with_host_results(call, self._output(call, placed))
        self.outputs.add(output)
        return output

    def called_unknown(self, callee: Obj, name: str, node: ast.Call, receiver: Obj | None = None) -> Obj:
        """The result of calling a value of unknown kind, the attribute `name` of `receiver` if that is given."""
        args = self.arguments(node)
        result = self.called_on_device(callee, node.func, node, args) or self._compared_with_output(node, args)
        return result or self.opaque(node, name, receiver=receiver, args=args)

    def called_on_device(self, callee: Obj, named: ast.expr, node: ast.Call, args: Arguments) -> Obj | None:
        """The result of calling a value of unknown kind with tensors if the code has placed it: only a module is both moved and called with tensors.
        None for others. named: the expression of the value."""
        place = self.state.place.get(callee)
        if (place is not None and not place.is_off_cpu) or callee.members or callee.given or callee.cls or self.abroad:
            return None
        if not any(self._may_be_input(item) for _, _, value in args for item in self.flatten(value)):
            return None
        if place is None:
            self._not_placed(callee, node, args)
            return None
        module = Obj("module", callee.origin, name=callee.name, param=callee.param, outside=True)
        module.premises = (premises.RETURNS_ON_DEVICE(module=self.source.code(named)),)
        self.state.place[module] = place
        self.known_as(callee, module)
        self.turned.append((callee, module))
        if callee in self.switched:
            self.switched.add(module)
        self.touch(WORLD, "call")
        return self._run_forward(module, node, args)

    def _not_placed(self, callee: Obj, node: ast.Call, args: Arguments) -> None:
        """Record the call of a value that is not placed, of which the kind is unknown, with tensors on a device."""
        made = isinstance(callee.origin, ast.Call)
        given = (tensor_moved(self, one, expr) for _, expr, value in args if made for one in self.flatten(value))
        beside = next((value.place for value in given if self.on_device(value)), None)
        if beside is not None:
            self.event("unplaced", node, callee, place=beside)

    def called_part(self, whole: Obj, attr: str, node: ast.Call, args: Arguments) -> Obj | None:
        """The result of calling an attribute of a placed module with a tensor of a device: of a part of it whose class is not seen, and that lies
        where the module does. None for others."""
        if not any(self.on_device(value) for _, _, value in args):
            return None
        module = Obj("module", node.func, base=whole, attr=attr, outside=True)
        module.premises = (premises.RETURNS_ON_DEVICE(module=self.source.code(node.func)),)
        self.touch(whole, "opaque")
        self.touch(WORLD, "call")
        return self._run_forward(module, node, args)

    def _may_be_input(self, value: Obj) -> bool:
        """Whether an argument is a tensor, holds some, or was moved to a device."""
        return value.is_tensor_like or value.kind == "encoding" or (value.is_unknown and value in self.state.place)

    def _compared_with_output(self, node: ast.Call, args: Arguments) -> Obj | None:
        """The result of a value of unknown kind that is called as a criterion: with the output of a placed module and another tensor. None for others.

        Only the first two tensors show that it is one. It may take others from any device.
        """
        compared = [(value, expr) for _, expr, value in args if value.is_tensor_like][:2]
        placed = next((v for v, _ in compared if self.on_device(v) and (v in self.outputs or v in self.returned)), None)
        if self.abroad or placed is None or len(compared) < 2 or isinstance(self.stack[-1].stmt.node, ast.Expr):
            return None
        assumed = (premises.RETURNS_ON_DEVICE(module=self.source.code(node.func)),)
        made = Obj("tensor", node, place=placed.place, premises=unite(placed.premises, assumed), maybe=True)
        left = [(value, expr) for value, expr in compared if value.place is not None and value.place.is_host]
        for value, expr in left:
            self.event("conflict", node, value, place=placed.place, what="loss", arg_node=expr, args=(made,))
            self.use(value, "device", expr)
        for _, expr, value in args:
            for item in self.flatten(value):
                if all(item is not one for one, _ in left):
                    self.opaque_argument(item, False, expr)
        self.touch(WORLD, "call")
        return made

    def stays_where_made(self, root: Obj) -> bool:
        """Whether a module stays on the device that its owner chose: it moves neither itself nor its inputs."""
        return root.kind == "module" and (_is_plain(root) or _is_library(root))

    def _place_by_use(self, root: Obj, node: ast.Call, args: Arguments) -> Place:
        """The place of a module that nothing in the file makes: where the file places it, else where its first input on a device lies."""
        self.guessed.add(node)
        placed = self.outsiders[root]
        if placed:
            return placed[0] if all(p == placed[0] and p.is_off_cpu for p in placed) else UNKNOWN_PLACE
        lying = next((v.place for _, _, v in args if self.on_device(v)), None)
        return lying or UNKNOWN_PLACE

    def _forward_call(self, module: Obj, node: ast.Call, place: Place, args: Arguments) -> ForwardCall:
        root = module.root()
        candidates = _candidates(root)
        plain = all(map(_is_plain, candidates))
        of_kind = all(_is_plain(candidate) or _is_library(candidate) for candidate in candidates)
        known = of_kind or _leaves_some_inputs(root) or root in self.outsiders
        on_device = [
            (number, keyword, value) for number, (keyword, _, value) in enumerate(args) if self.on_device(value)
        ]
        meets = bool(on_device) or not all(c.cls is not None and holds_nothing(c.cls) for c in candidates)
        used = (value.place for number, keyword, value in on_device[:1] if _takes_tensor(candidates, number, keyword))
        beside = next(used, None)
        return ForwardCall(module, root, node, place, known, plain or root.cls is None, meets, beside)

    def _modules_left(self, call: ForwardCall, placed: Obj | None) -> None:
        """Record the parts, or the whole module, left on the CPU; `placed`: an input on a device."""
        if call.is_placed:
            for part in self.parts_left(call.root):
                self.event("stayed", call.node, part, place=call.place, what="part", args=(call.root,))
        elif placed is None or is_of_unseen_module(placed) or not (call.known and call.stays and call.runs_in_place):
            return
        elif call.place.is_host:
            whole = self._left_whole(call.root)
            inside = () if whole is call.root else (call.root,)
            self.event("stayed", call.node, whole, place=placed.place, args=inside)
        elif call.place.kind == "mixed" and call.root not in self.state.place and not _is_picked(call.root):
            for arm in _arms(call.root):
                if self.place_of(arm).is_host and not self._is_handed_over(arm):  # another arm places its module
                    self.event("stayed", call.node, arm.root(), place=placed.place)

    def _is_handed_over(self, module: Obj) -> bool:
        """Whether code that is not seen has got a module, and may have placed it."""
        touch = module.root(), "opaque"
        return any(touch in touched for touched in self.touches.values())

    def _left_whole(self, module: Obj) -> Obj:
        """The module that has to be placed with a part on the CPU: the outermost one around it, if its class moves none of its parts."""
        whole = outermost(module)
        return whole if self.place_of(whole).is_host and self.stays_where_made(whole) else module

    def _input(
        self, call: ForwardCall, item: Obj, expr: ast.expr, position: int, keyword: str | None, *, own: bool
    ) -> None:
        """One tensor of an argument; `own`: `expr` is the tensor, not a container of it."""
        usage = _usage(call, position, keyword, whole=own and item.is_element)
        unpacked = _unpacked(expr, keyword)
        if item.is_element and usage == "tensor" and call.known:
            item.value = unpacked or "tensor"
        if usage == "sequence":
            self.use_as_sequence(item, expr)
        if not call.stays and (bool(unpacked) or _moves_input(call.root, position, keyword)):
            self.use(item, "opaque", expr)
        elif usage == "host":
            self._packed_lengths(call.module, item, position, keyword)
            self.use(item, "opaque", expr)
        elif call.is_placed and call.known:
            self._input_of_placed(call, item, expr if own else None)
            self.use(item, "device", expr)
        else:
            self._input_of_unknown(call, item, expr if own else None, taken=usage == "tensor")
            self.use(item, "neutral" if call.scatters else "opaque", expr)

    def _input_of_placed(self, call: ForwardCall, item: Obj, arg: ast.expr | None) -> None:
        """Record a tensor on the CPU as an input of a placed module whose code is known."""
        mixes = item.maybe and _may_mix(call.root)
        if item.place is not None and item.place.is_host and not call.scatters and call.meets and not mixes:
            self.event("conflict", call.node, item, place=call.place, what="input", arg_node=arg, args=(call.module,))

    def _input_of_unknown(self, call: ForwardCall, item: Obj, arg: ast.expr | None, *, taken: bool) -> None:
        """Record a tensor that the file made on the CPU as an input of a placed module, if nothing is known of that module ("taken"), or
        beside an input on a device, if the place of the module is not known either ("beside"). taken: the module uses it as a tensor."""
        place = self._place_of_inputs(call, arg, taken=taken)
        if place is None or call.scatters or self.abroad:
            return
        if (call.root.outside or item.is_element) and call.root not in self.switched:
            return  # it is only called: it may be an object that uses nothing of its device with its inputs
        host = item.place is not None and item.place.is_host and not item.maybe
        if host and _is_of_host(item):
            what = "taken" if call.is_placed else "beside"
            self.event("conflict", call.node, item, place=place, what=what, arg_node=arg, args=(call.module,))

    @staticmethod
    def _place_of_inputs(call: ForwardCall, arg: ast.expr | None, *, taken: bool) -> Place | None:
        """Where a module needs an input, if its code is not seen; if that is seen, and leaves the inputs where they are, where another one is."""
        candidates = _candidates(call.root)
        is_seen = any(candidate.cls is not None for candidate in candidates)
        if is_seen and (call.is_placed or not taken or not all(map(_is_plain, candidates))):
            return None
        if call.is_placed:
            return call.place
        is_beside = is_seen or call.place == UNKNOWN_PLACE
        return call.beside if is_beside and not (arg is not None and names_lengths(dotted(arg))) else None

    def _packed_lengths(self, module: Obj, lengths: Obj, position: int, keyword: str | None) -> None:
        """A tensor of a device for a module of the file whose `forward` packs a sequence by it: the lengths belong on the CPU."""
        root = module.root()
        info = root.cls
        if info is None or info.scope.tree is not self.own or self.abroad or not self.on_device(lengths):
            return
        packed = packed_by(info, position, keyword)
        if packed is not None:
            self.event("host", packed, lengths, place=lengths.place, what="lengths", arg_node=packed, args=(root,))

    def _output(self, call: ForwardCall, placed: Obj | None) -> Obj:
        """The output: with the module, or with its inputs where the module was never placed; `placed`: an input on a device."""
        assumed: tuple[Premise, ...] = (premises.RETURNS_TENSOR(module=self.source.code(call.node.func)),)
        if call.root.outside:
            assumed = call.root.premises
        if call.known:
            assumed = call.root.premises
        if call.is_placed:
            return Obj("tensor", call.node, place=call.place, premises=assumed)
        if call.place.is_host and call.known and call.stays:
            # one without parameters works on the device of its inputs; another would have failed on inputs from another device
            there, rests = (placed.place, placed.premises) if placed is not None else (HOST, ())
            return Obj("tensor", call.node, place=there, roots=frozenset(), premises=rests)
        return Obj("tensor", call.node, place=UNKNOWN_PLACE, premises=assumed)

    def _with_host_results(self, call: ForwardCall, output: Obj) -> Obj:
        """The output, with the results that `forward` makes on the CPU as items; such a result itself if it is the only one."""
        info = call.root.cls
        if (
            info is None
            or self.abroad
            or not call.place.is_off_cpu
            or call.module.kind != "module"
            or info.methods.get("forward", info.scope).tree is not self.own
            or self.ambient_device()
        ):
            return output
        made = [self._made_on_host(node, info.methods["forward"]) if node else output for node in host_results(info)]
        if not made:
            return output
        if not returns_tuple(info):
            return made[0]
        output.items = tuple(made)
        return output

    def _made_on_host(self, node: ast.Call, forward: Scope) -> Obj:
        """The result of `forward` that this call of a factory makes."""
        tensor = Obj("tensor", node, place=HOST, name=self.tree.qualname(node.func, forward) or "")
        tensor.roots = frozenset((tensor,))
        self.makes_on_host = True
        self.own_made.add(tensor)
        return tensor

    # --- criteria --------------------------------------------------------------------------------------------------------

    def _are_shown_on_device(self, operands: Sequence[Obj]) -> bool:
        """Whether there are operands, and all are on a device without an assumption about unseen modules."""
        return bool(operands) and all(self.on_device(one) and not is_of_unseen_module(one) for one in operands)

    def _loss(self, module: Obj, node: ast.Call, place: Place, args: Arguments) -> Obj:
        """A call of a criterion, whose operands must be on one device."""
        root = module.root()
        layer = modules.layer(root.name)
        operator = layer.operator if layer is not None else None
        given = [(keyword, (value, expr)) for keyword, expr, value in args]
        together = [pair for pair, _ in operator.shared(given)] if operator is not None else [pair for _, pair in given]
        operands = [value for value, _ in together if value.is_tensor_like]
        exprs = [expr for value, expr in together if value.is_tensor_like]
        for value in operands:
            if value.is_element and root.proven:
                value.value = "tensor"
        self.event("call", node, module, place=place, args=tuple(v for _, _, v in args), what="loss")
        self._loss_weights(root, node, place, operands)
        if root.cls is not None and place.is_host and self._are_shown_on_device(operands) and _is_plain(root):
            self.event("stayed", node, root, place=operands[0].place)
        strict = operands if operator is not None and operator.together == "all" else ()
        return self.tensor_op(node, tuple(operands), tuple(exprs), what="loss", strict=strict)

    def _loss_weights(self, loss: Obj, node: ast.Call, place: Place, operands: list[Obj]) -> None:
        """A criterion that was never moved, with weights on the CPU, is called with outputs on a device."""
        placed = [o for o in operands if self.on_device(o) and not is_of_unseen_module(o)]
        weights = [w for w in loss.items or () if w.is_tensor_like]
        if placed and place.is_host and loss.proven and any(w.place is not None and w.place.is_host for w in weights):
            self.event("stayed", node, loss, place=placed[0].place, what="weight", args=tuple(weights))


# --- the code of a module ------------------------------------------------------------------------------------------------------


def _candidates(root: Obj) -> list[Obj]:
    """The modules that a value may be: several where it is made in two arms, or of a class picked from a dict."""
    if root.cls is not None or root.name or not root.alts:
        return [root]
    return [candidate for other in root.alts for candidate in _candidates(other)]


def _is_picked(module: Obj) -> bool:
    """Whether a module is made by one of several classes or functions that only the run picks: ``NETS[name]()``."""
    return module.rests_on(_ONE_OF_CLASSES)


def _arms(module: Obj) -> list[Obj]:
    """The modules that the arms of tests bind a name to."""
    return [arm for alternative in module.alts for arm in _arms(alternative)] if module.alts else [module]


def _is_of_host(tensor: Obj) -> bool:
    """Whether a tensor was taken from a loader, or made by a factory that cannot have left it on another device."""
    origins = [root for root in (tensor, *tensor.roots) if root.is_element or root.name]
    return bool(origins) and all(
        root.is_element or (torch_model.is_factory(root.name) and not torch_model.leaves_tensors(root.name))
        for root in origins
    )


def _is_own_forward(module: Obj, value: Obj) -> bool:
    """Whether a value is the `forward` that the module has by its class."""
    return value.base is module and (value.kind == "method" or (value.is_part and value.attr == "forward"))


def _is_plain(module: Obj) -> bool:
    """Whether a module is of a class of the repository that moves none of its inputs, on bases that are known."""
    return module.cls is not None and "?" not in module.cls.bases and not moves_inputs(module.cls)


def _leaves_some_inputs(module: Obj) -> bool:
    """Whether a module is of a class of the repository that moves some parameters of its `forward` at most."""
    return module.cls is not None and "?" not in module.cls.bases and ANYTHING not in moves_inputs(module.cls)


def _is_library(root: Obj) -> bool:
    """Whether a module is one of a known library, or a layer of one, and no container of other modules."""
    if root.cls is not None or root.outside or not root.proven:
        return False
    whole = root.base.root() if root.base is not None and root.base.is_module else None
    is_layer = whole is not None and whole.name not in CONTAINERS and _is_library(whole)
    return is_layer or api.is_module_constructor(root.name)


def _may_mix(root: Obj) -> bool:
    """Whether a module may take a 0-dim tensor of the CPU, as operators do: its code is not seen, and it is not torch's."""
    return any(one.cls is None and not one.name.startswith("torch.") for one in _candidates(root))


def _moves_input(root: Obj, position: int, keyword: str | None) -> bool:
    """Whether the `forward` of a class of the file moves an argument itself."""
    return root.cls is not None and forward_parameter(root.cls, position, keyword) in moves_inputs(root.cls)


def _unpacked(expr: ast.expr, keyword: str | None) -> str:
    """The form of an argument that a call unpacks, ``model(**batch)`` or ``model(*batch)``; "" for others."""
    return "mapping" if keyword == "**" else "sequence" if isinstance(expr, ast.Starred) else ""


def _takes_tensor(candidates: list[Obj], position: int, keyword: str | None) -> bool:
    """Whether the classes of a module that are seen use an argument as a tensor."""
    return all(forward_argument(c.cls, position, keyword) == "tensor" for c in candidates if c.cls is not None)


def _usage(call: ForwardCall, position: int, keyword: str | None, *, whole: bool) -> str:
    """How the class of a module uses an argument: "other" if the module may be of several that differ. whole: the argument is a batch, and no
    item of something, of which nothing tells the parameter if the call unpacks it."""
    if keyword == "**" and not whole and call.root.cls is not None:
        return "host"
    classes = [candidate.cls for candidate in _candidates(call.root)]
    usages = {"tensor" if cls is None else forward_argument(cls, position, keyword) for cls in classes}
    return usages.pop() if len(usages) == 1 else "other"
