"""Modules and optimizers in the abstract interpreter: how they are made and wrapped."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from placefix.facts import premises
from placefix.facts import torch_api as api
from placefix.facts.interpret.forward_calls import LEAVES, ForwardCalls
from placefix.facts.interpret.interpreter_base import WORLD, Arguments
from placefix.facts.interpret.moved_values import tensor_moved
from placefix.facts.interpret.sequential_layers import CONTAINERS
from placefix.facts.interpret.values import UNKNOWN_PLACE, Obj, Place, moment
from placefix.facts.program.ast_names import is_literal
from placefix.facts.program.device_values import Device

if TYPE_CHECKING:
    from placefix.facts.program.tree import Scope


class Models(ForwardCalls):
    """Evaluates constructors of modules and optimizers."""

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
                base=base.base if base.is_part else None,
                attr=base.attr,
                name=base.name,
            )
            if base.attr == "" or base.base is None:
                self.state.place.setdefault(base, self.place_before(unknown))
            self.known_as(unknown, base)
            self.turned.append((unknown, base))
        self.touch(base.root(), "wrap")
        if name != api.DATA_PARALLEL:
            self.touch(WORLD, "collective")
        wrapper = Obj("wrapper", node, base=base, wrap=name, name=name, value=_leaves_inputs(name, args))
        self.event(
            "wrap", node, wrapper, what=name, place=self.place_of(base), args=(base.uncompiled(),), arg_node=expr
        )
        return wrapper

    def torch_module(self, name: str, node: ast.Call, args: Arguments) -> Obj:
        """A call that makes a module of torch or of a library of models."""
        module = Obj("module", node, name=name, loss=api.is_loss(name), born=moment())
        on = next(((e, v) for k, e, v in args if k == "device"), None)
        device = self.device_of(*on) if on is not None else None
        if device is not None:
            self.state.place[module] = Place("device", device)
        elif on is not None or self.ambient_device():
            self.state.place[module] = Place("mixed", Device("other"))
        elif name.endswith((".from_pretrained", ".from_config")) and self.loads_placed(args):
            self.state.place[module] = UNKNOWN_PLACE
        given = [item for _, _, value in args for item in self.flatten(value)]
        if name in CONTAINERS:
            module.mixed = not all(item.is_module or item.is_constant or item.items is not None for item in given)
        module.items = tuple(item for item in given if self._becomes_part(module, item))
        self.event("module", node, module)
        return module

    def _becomes_part(self, module: Obj, item: Obj) -> bool:
        """Whether an argument is a part of the new module, ``encoder`` of ``nn.Sequential(encoder, head)``: it moves with the whole from here on."""
        if item.is_module:
            self.placed_in_part(module, item)
        if item.kind == "module" and item.base is None:
            self.touch(item, "read")
            item.base = module
            return True
        if item.kind == "list" and item.base is not None and item.base.is_module:
            item.base.base = module  # any of the list
        return module.loss and item.is_tensor_like

    @staticmethod
    def loads_placed(args: Arguments) -> bool:
        """Whether a loader gets a device for the model, or may by arguments that are unpacked into the call."""
        return any(k == "**" or (k in api.LOADED_PLACED and not (v.is_constant and not v.value)) for k, _, v in args)

    def pack(self, node: ast.Call, args: Arguments) -> Obj:
        """pack_padded_sequence(x, lengths): x may be on any device, the lengths only on the CPU."""
        data = next((v for k, _, v in args if k in (None, "input")), None)
        lengths = next(((e, v) for i, (k, e, v) in enumerate(args) if k == "lengths" or (k is None and i == 1)), None)
        if lengths is not None:
            lengths = (lengths[0], tensor_moved(self, lengths[1], lengths[0]))
            self.use(lengths[1], "host", lengths[0])
            if self.on_device(lengths[1]) and lengths[1] not in self.returned:
                self.event("host", node, lengths[1], place=lengths[1].place, what="lengths", arg_node=lengths[0])
        if data is None or not data.is_tensor_like:
            return Obj("unknown", node)
        self.use(data, "neutral", node.args[0] if node.args else node)
        return self.tensor_like(data, node)

    def optimizer(self, name: str, node: ast.Call, args: Arguments, *, cls: Scope | None = None) -> Obj:
        """A call that makes an optimizer over the parameters in its first argument. cls: its class, if that is of the repository."""
        members: list[Obj] = []
        expr: ast.expr | None = None
        for keyword, e, value in args:
            if keyword in (None, "params") and expr is None:
                expr = e
                for item in self.flatten(value):
                    members.extend(item.members)
                    if item.is_part and item.base is not None:
                        members.append(item.base)
                members.extend(value.given)  # groups(model): the argument of an optimizer is parameters
        unique = tuple(dict.fromkeys(members))
        for member in unique:
            self.touch(member, "read")
        fused = any(k == "fused" and is_literal(e, True) for k, e, _ in args)
        other = cls is not None or api.is_third_party_optimizer(name)
        assumed = (premises.OPTIMIZER_KEEPS_PARAMETERS(name=name),) if other else ()
        optimizer = Obj("optimizer", node, name=name, members=unique, premises=assumed, scope=cls)
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


def _leaves_inputs(name: str, args: Arguments) -> str:
    """`LEAVES` for DistributedDataParallel without device_ids, which passes its inputs on without a move."""
    ids = next(
        (e for number, (k, e, _) in enumerate(args) if k in ("device_ids", "**") or (k is None and number)), None
    )
    told = ids is not None and not is_literal(ids, None)
    return LEAVES if name == api.DDP and not told and not any(isinstance(e, ast.Starred) for _, e, _ in args) else ""
