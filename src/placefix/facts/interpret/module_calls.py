"""Modules and optimizers in the abstract interpreter: how they are made, wrapped and called."""

from __future__ import annotations

import ast

from placefix import torch_model
from placefix.facts import premises
from placefix.facts import torch_api as api
from placefix.facts.interpret.class_summaries import (
    ANYTHING,
    forward_argument,
    forward_parameter,
    moves_inputs,
    packed_by,
)
from placefix.facts.interpret.inlining import OwnCode
from placefix.facts.interpret.interpreter_base import WORLD, Arguments
from placefix.facts.interpret.values import HOST, UNKNOWN_PLACE, Obj, Place
from placefix.facts.program.device_values import Device
from placefix.torch_model import modules

# A wrapper that moves nothing it is called with.
LEAVES = "leaves"


class Models(OwnCode):
    """Evaluates constructions of modules and optimizers, and calls of modules."""

    def wrap(self, name: str, node: ast.Call, args: Arguments) -> Obj:
        """A call of DataParallel, DistributedDataParallel and the like."""
        base = next((v for k, _, v in args if k in (None, "module")), None)
        expr = next((e for k, e, _ in args if k in (None, "module")), None)
        if base is None:
            return Obj("unknown", node)
        if not base.is_module:
            unknown = base
            base = Obj(
                "module",
                base.origin,
                premises=(premises.IS_MODULE(name=self.source.code(expr) if expr is not None else base.name),),
                base=base.base if base.kind == "part" else None,
                attr=base.attr,
                name=base.name,
            )
            if base.attr == "" or base.base is None:
                self.state.place.setdefault(base, self.state.place.get(unknown, UNKNOWN_PLACE))
            self.known_as(unknown, base)
        self.touch(base.root(), "wrap")
        if name != api.DATA_PARALLEL:
            self.touch(WORLD, "collective")
        wrapper = Obj("wrapper", node, base=base, wrap=name, name=name, value=_leaves_inputs(name, args))
        self.event("wrap", node, wrapper, what=name, place=self.place_of(base), args=(base,), arg_node=expr)
        return wrapper

    def torch_module(self, name: str, node: ast.Call, args: Arguments) -> Obj:
        """A call that makes a module of torch or of a library of models."""
        module = Obj("module", node, name=name, loss=api.is_loss(name))
        on = next(((e, v) for k, e, v in args if k == "device"), None)
        device = self.device_of(*on) if on is not None else None
        if device is not None:
            self.state.place[module] = Place("device", device)
        elif on is not None or self.ambient_device():
            self.state.place[module] = Place("mixed", Device("other"))
        elif name.endswith((".from_pretrained", ".from_config")) and self.loads_placed(args):
            self.state.place[module] = UNKNOWN_PLACE
        parts: list[Obj] = []
        for _, _, value in args:
            for item in self.flatten(value):
                if item.is_module:
                    self.placed_in_part(module, item)
                if item.kind == "module" and item.base is None:
                    self.touch(item, "read")
                    item.base = module  # nn.Sequential(encoder, head): parts move with the whole
                    parts.append(item)
                elif module.loss and item.is_tensor_like:
                    parts.append(item)
        module.items = tuple(parts)
        self.event("module", node, module)
        return module

    @staticmethod
    def loads_placed(args: Arguments) -> bool:
        """Whether a loader gets a device for the model, or may by arguments that are unpacked into the call."""
        return any(
            k == "**" or (k in api.LOADED_PLACED and not (v.kind == "const" and not v.value)) for k, _, v in args
        )

    def pack(self, node: ast.Call, args: Arguments) -> Obj:
        """pack_padded_sequence(x, lengths): x may lie anywhere, the lengths on the CPU alone."""
        data = next((v for k, _, v in args if k in (None, "input")), None)
        lengths = next(((e, v) for i, (k, e, v) in enumerate(args) if k == "lengths" or (k is None and i == 1)), None)
        if lengths is not None:
            self.use(lengths[1], "host", lengths[0])
            if self.on_device(lengths[1]) and lengths[1] not in self.returned:
                self.event("host", node, lengths[1], place=lengths[1].place, what="lengths", arg_node=lengths[0])
        if data is None or not data.is_tensor_like:
            return Obj("unknown", node)
        self.use(data, "neutral", node.args[0] if node.args else node)
        return self.tensor_like(data, node)

    def optimizer(self, name: str, node: ast.Call, args: Arguments) -> Obj:
        """A call that makes an optimizer over what its first argument holds."""
        members: list[Obj] = []
        expr: ast.expr | None = None
        for keyword, e, value in args:
            if keyword in (None, "params") and expr is None:
                expr = e
                for item in self.flatten(value):
                    members.extend(item.members)
                    if item.kind == "part" and item.base is not None:
                        members.append(item.base)
                members.extend(value.given)  # groups(model): what an optimizer takes are parameters
        unique = tuple(dict.fromkeys(members))
        for member in unique:
            self.touch(member, "read")
        fused = any(k == "fused" and isinstance(e, ast.Constant) and e.value is True for k, e, _ in args)
        other = api.is_third_party_optimizer(name)
        assumed = (premises.OPTIMIZER_KEEPS_PARAMETERS(name=name),) if other else ()
        optimizer = Obj("optimizer", node, name=name, members=unique, premises=assumed)
        self.event(
            "optimizer",
            node,
            optimizer,
            args=unique,
            arg_node=expr,
            what="fused" if fused else "",
            places=tuple(self.place_of(m) for m in unique),
        )
        return optimizer

    def spawn(self, node: ast.Call, args: Arguments) -> Obj:
        """mp.spawn(f, args=…): f runs in another process, with a rank and these arguments."""
        target = next((v for k, _, v in args if k in (None, "fn", "target") and v.kind == "function"), None)
        if target is not None and target.scope is not None and target.scope not in self.scopes_active:
            before = self.state
            self.state = before.copy()
            self.call_scope(target.scope)
            self.state = before
        return Obj("unknown", node)

    @staticmethod
    def _is_library(root: Obj) -> bool:
        """Whether a module is one of a known library."""
        return root.cls is None and api.is_module_constructor(root.name) and root.proven

    def stays_where_made(self, root: Obj) -> bool:
        """Whether a module stays on the device that its owner chose: it moves neither itself nor its inputs."""
        return root.kind == "module" and (self._is_plain(root) or self._is_library(root))

    def forward(self, module: Obj, node: ast.Call) -> Obj:
        """model(x, …): the device rules of a forward call."""
        args = self.arguments(node)
        root = module.root()
        self.touch(root, "call")
        place = self.place_of(module)
        if root.loss:
            return self._loss(module, node, place, args)
        self.event("call", node, module, place=place, args=tuple(v for _, _, v in args))
        placed = place.is_off_cpu
        plain = self._is_plain(root)
        known = plain or self._is_plain(root, some=True) or self._is_library(root)
        for part in self.parts_left(root) if placed else ():
            self.event("stayed", node, part, place=place, what="part", args=(root,))
        given = [v for _, _, v in args if self.on_device(v)]
        stays = plain or root.cls is None
        if given and place.is_host and known and stays and module.kind == "module":
            self.event("stayed", node, root, place=given[0].place)
        scattered = module.kind == "wrapper" and not module.maybe and module.value != LEAVES
        for position, (keyword, argument, value) in enumerate(args):
            held = value.base if value.kind == "encoding" else None  # it is repaired as a tensor is
            for item, expr, own in self.parts(held or value, argument):
                if item.is_module:
                    self.touch(item.root(), "opaque")
                if not item.is_tensor_like:
                    continue
                usage = "tensor" if root.cls is None else forward_argument(root.cls, position, keyword)
                if item.kind == "element" and usage == "tensor" and known:
                    item.value = "tensor"
                if not stays and self._brings(root, position, keyword):
                    usage = "moved"
                if usage == "host":
                    self.packs(module, item, position, keyword)
                if usage in ("host", "moved"):
                    self.use(item, "opaque", expr)
                elif placed and known:
                    if item.place is not None and item.place.is_host and not scattered:
                        arg = expr if own else None
                        self.event("conflict", node, item, place=place, what="input", arg_node=arg, args=(module,))
                    self.use(item, "device", expr)
                else:
                    if placed and not scattered and root.cls is None and not self.abroad:
                        self._taken(module, item, node, expr if own else None)
                    self.use(item, "neutral" if scattered else "opaque", expr)
        assumed = () if known else (premises.RETURNS_TENSOR(module=self.source.code(node.func)),)
        if placed:
            output = Obj("tensor", node, place=place, premises=assumed)
        elif place.is_host and known and stays:
            # one without parameters works on the device of its inputs; another would have failed on inputs from another device
            output = Obj("tensor", node, place=given[0].place if given else HOST, roots=frozenset())
        else:
            output = Obj("tensor", node, place=UNKNOWN_PLACE, premises=assumed)
        self.outputs.add(output)
        return output

    @staticmethod
    def _brings(root: Obj, position: int, keyword: str | None) -> bool:
        """Whether the `forward` of a class of the file moves an argument to where it wants it."""
        return root.cls is not None and forward_parameter(root.cls, position, keyword) in moves_inputs(root.cls)

    def _loss(self, module: Obj, node: ast.Call, place: Place, args: Arguments) -> Obj:
        """A call of a criterion, whose operands have to lie together."""
        root = module.root()
        layer = modules.layer(root.name)
        operator = layer.operator if layer is not None else None
        taken = [
            operator.operand(position, k) if operator is not None else None for position, (k, _, _) in enumerate(args)
        ]
        given = [
            (value, expr)
            for operand, (_, expr, value) in zip(taken, args, strict=True)
            if value.is_tensor_like and (operator is None or (operand is not None and not operator.lies_apart(operand)))
        ]
        operands = [value for value, _ in given]
        for value in operands:
            if value.kind == "element" and root.proven:
                value.value = "tensor"
        self.event("call", node, module, place=place, args=tuple(v for _, _, v in args), what="loss")
        self.loss_weights(root, node, place, operands)
        moved = bool(operands) and all(map(self.on_device, operands))
        if root.cls is not None and place.is_host and moved and self._is_plain(root):
            self.event("stayed", node, root, place=operands[0].place)
        strict = operands if operator is not None and operator.together == "all" else ()
        return self.tensor_op(node, tuple(operands), tuple(expr for _, expr in given), what="loss", strict=strict)

    def _taken(self, module: Obj, item: Obj, node: ast.Call, arg: ast.expr | None) -> None:
        """Record a tensor of the file's own making that a module which nothing is known of is called with, which lies elsewhere."""
        host = item.kind == "tensor" and item.place is not None and item.place.is_host and not item.maybe
        kept = ("torch.as_tensor", "torch.asarray")  # they leave a tensor where it lies
        if (
            host
            and item.roots
            and all(torch_model.is_factory(root.name) and root.name not in kept for root in item.roots)
        ):
            self.event("conflict", node, item, place=self.place_of(module), what="taken", arg_node=arg, args=(module,))

    def packs(self, module: Obj, lengths: Obj, position: int, keyword: str | None) -> None:
        """A module of the file is called with a tensor of a device, and its `forward` packs a sequence by it: the lengths belong on the CPU."""
        info = module.root().cls
        if info is not None and info.scope.tree is self.own and not self.abroad and self.on_device(lengths):
            packed = packed_by(info, position, keyword)
            if packed is not None:
                self.event(
                    "host", packed, lengths, place=lengths.place, what="lengths", arg_node=packed, args=(module.root(),)
                )

    @staticmethod
    def _is_plain(module: Obj, *, some: bool = False) -> bool:
        """Whether a module is of a class of the repository that moves nothing it is called with, with `some` not all of it, on
        bases that are known."""
        if module.cls is None or "?" in module.cls.bases:
            return False
        return ANYTHING not in moves_inputs(module.cls) if some else not moves_inputs(module.cls)

    def loss_weights(self, loss: Obj, node: ast.Call, place: Place, operands: list[Obj]) -> None:
        """A criterion that was never moved, with weights on the CPU, meets outputs on a device."""
        placed = [o for o in operands if self.on_device(o)]
        weights = [w for w in loss.items or () if w.is_tensor_like]
        if placed and place.is_host and loss.proven and any(w.place is not None and w.place.is_host for w in weights):
            self.event("stayed", node, loss, place=placed[0].place, what="weight", args=tuple(weights))


def _leaves_inputs(name: str, args: Arguments) -> str:
    """`LEAVES` for DistributedDataParallel without device_ids, which passes its inputs on without a move."""
    ids = next(
        (e for number, (k, e, _) in enumerate(args) if k in ("device_ids", "**") or (k is None and number)), None
    )
    told = ids is not None and not (isinstance(ids, ast.Constant) and ids.value is None)
    return LEAVES if name == api.DDP and not told and not any(isinstance(e, ast.Starred) for _, e, _ in args) else ""
