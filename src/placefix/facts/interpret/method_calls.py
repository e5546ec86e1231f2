"""Calls of methods in the abstract interpreter, by the kind of the receiver."""

from __future__ import annotations

import ast
from functools import reduce
from typing import TYPE_CHECKING

from placefix import torch_model
from placefix.facts import torch_api as api
from placefix.facts.interpret import distributions
from placefix.facts.interpret.class_summaries import class_of, only_initialises
from placefix.facts.interpret.module_calls import Models
from placefix.facts.interpret.module_effects import effect, effect_inside
from placefix.facts.interpret.state import merge
from placefix.facts.interpret.values import UNKNOWN_PLACE, Obj, Place, made_of, whole_of

if TYPE_CHECKING:
    from placefix.facts.interpret.values import ObjKind

# What has the methods that move: modules, tensors, and what may turn out to be one.
_MOVED: frozenset[ObjKind] = frozenset(
    ("module", "wrapper", "tensor", "element", "part", "unknown", "params", "list", "dict", "const")
)
# They give a module's parameters or parts.
_PARTS = frozenset(
    ("parameters", "named_parameters", "modules", "named_modules", "children", "named_children", "buffers")
)


class Methods(Models):
    """Evaluates calls of methods."""

    def layer(self, part: Obj) -> Obj | None:
        """self.fc1 as a module, if the class makes it a layer of torch.nn; else None."""
        owner = part.base
        if owner is None or owner.cls is None or part.attr not in owner.cls.layers:
            return None
        return Obj("module", part.origin, base=owner, attr=part.attr, name=owner.cls.layers[part.attr])

    def transformed(self, callee: Obj, node: ast.Call) -> Obj | None:
        """``transform(image)``: transforms of torchvision with ToTensor among them, which makes a tensor of the CPU."""
        made = callee.origin
        if (
            not callee.name.startswith("torchvision.transforms.")
            or not isinstance(made, ast.Call)
            or self.abroad
            or len(node.args) != 1
        ):
            return None
        if (callee.name not in api.TO_TENSOR and callee.name not in api.COMPOSES) or not self.makes_tensor(made):
            return None
        text = self.source.code(made)
        if ".to(" in text or "cuda" in text or "device" in text:
            return None  # they move it as well
        image = self.factory("torch.from_numpy", node, self.arguments(node))
        image.maybe = False
        return image

    def tokens(self, tokenizer: Obj, method: str, node: ast.Call) -> Obj | None:
        """The result of a tokenizer of transformers with return_tensors="pt": a tensor on the CPU, or a BatchEncoding of such."""
        if (
            not api.is_tokenizer(tokenizer.name)
            or self.abroad
            or (method not in api.TOKENS and method not in api.ENCODINGS)
        ):
            return None
        args = self.arguments(node)
        if not any(k == "return_tensors" and v.value == "pt" for k, _, v in args):
            return None
        made = self.factory("torch.from_numpy", node, [])
        made.maybe = False
        return made if method in api.TOKENS else Obj("encoding", node, base=made)

    def encoding_method(self, encoding: Obj, attr: str, node: ast.Call) -> Obj:
        """BatchEncoding.to moves in place, and gives itself."""
        if attr == "to":
            device, _ = self.target_device(attr, node)
            encoding.base = Obj("tensor", node, place=Place("device", device)) if device is not None else None
            return encoding
        self.arguments(node)
        if attr not in ("items", "keys", "values", "get"):
            encoding.base = None  # it may hold others from here on
        return Obj("unknown", node)

    def method(self, receiver: Obj, attr: str, node: ast.Call) -> Obj:
        """receiver.attr(…) where the receiver is a value, not an import."""
        kind = receiver.kind
        if attr in api.PLACING:
            self.values[node].append(receiver)
            self.lay[node].append(self.lying(receiver))
            own = receiver.cls is not None and attr in receiver.cls.own_moves
            if not own and kind in _MOVED:
                return self.move(receiver, attr, node)
        elif attr == "load_state_dict":
            self.values[node].append(receiver)
        if receiver.is_module:
            return self.module_method(receiver, attr, node)
        if kind in ("optimizer", "scheduler"):
            return self.optimizer_method(receiver, attr, node)
        if kind in ("tensor", "element"):
            return self.tensor_method(receiver, attr, node)
        if kind == "encoding":
            return self.encoding_method(receiver, attr, node)
        if kind == "distribution":
            return distributions.asked(self, receiver, attr, node)
        if kind == "unknown" and (made := self.tokens(receiver, attr, node)) is not None:
            return made
        if kind == "super":
            return self.super_call(receiver, attr, node)
        if kind in ("instance", "class") and attr != "__init__":
            return self.instance_method(receiver, attr, node)
        if kind in ("list", "params", "dict") and (done := self.container_method(receiver, attr, node)) is not None:
            return done
        if kind == "loader" and attr == "__iter__":
            return receiver
        if kind == "part":
            return self.part_method(receiver, attr, node)
        if kind == "device":
            self.arguments(node)
            return Obj("unknown", node)
        if kind in ("unknown", "params") and attr in ("parameters", "named_parameters") and receiver.members:
            self.arguments(node)  # of one of a module's layers, in a loop over them
            for collector in self.collectors:
                collector.extend(receiver.members)
            return Obj("params", node, members=receiver.members, attr="part")
        # an attribute of an unknown object that is itself a known module: self.net(x)
        for member in (*receiver.members, *receiver.given):
            self.touch(member, effect_inside(attr))
        held = self.state.fields.get((receiver, attr))
        if held is not None and held.is_module:
            return self.forward(held, node)
        if held is not None and held.kind == "function" and held.scope is not None:
            return self.local_call(held.scope, None, node)
        if receiver.members and torch_model.combines_in_place(attr):
            return self.computed_in_place(receiver, node)
        return self.opaque(node, f"{receiver.name}.{attr}" if receiver.name else attr)

    def computed_in_place(self, parameter: Obj, node: ast.Call) -> Obj:
        """``p.data.mul_(0.9).add_(0.1 * q.data)``: other parameters are only read there."""
        for _, expr, value in self.arguments(node):
            for item in self.flatten(value):
                self.opaque_argument(item, item.kind in ("params", "unknown"), expr)
        return Obj("unknown", node, members=parameter.members)

    def optimizer_method(self, receiver: Obj, attr: str, node: ast.Call) -> Obj:
        """A method of an optimizer or a scheduler."""
        self.touch(receiver, "use")
        result = Obj("unknown", node)
        for _, expr, value in self.arguments(node):
            self.use(value, "opaque", expr)
            if value.kind == "optimizer":
                self.touch(value, "use")
            elif value.kind == "function" and value.scope is not None and attr == "step":
                result = self.local_call(value.scope, None, node, [])  # the closure, whose loss step returns
        if attr in ("load_state_dict", "step"):
            self.event("state", node, receiver, what=attr)
        return result

    def instance_method(self, receiver: Obj, attr: str, node: ast.Call) -> Obj:
        """A method of an object or class of the file that is no module, or a call of an object in an attribute."""
        slot = self.state.fields.get((receiver, attr))
        if slot is not None and slot.is_module:
            return self.forward(slot, node)
        if slot is not None and slot.kind == "unknown" and (image := self.transformed(slot, node)) is not None:
            return image
        info = receiver.cls if receiver.kind == "instance" else None
        if info is not None and attr in info.methods and slot is None:
            return self.local_call(info.methods[attr], receiver, node)
        return self.opaque(node, attr, receiver=receiver)

    def container_method(self, receiver: Obj, attr: str, node: ast.Call) -> Obj | None:
        """A method of a list or dict, or of parameters in one, that changes it or returns its items; None for others."""
        if attr in ("append", "extend", "insert", "update", "add"):
            for _, expr, value in self.arguments(node):
                receiver.members = tuple(dict.fromkeys((*receiver.members, *made_of(value))))
                self.use(value, "escape", expr)
                self.grows(receiver, value if attr == "append" else None, node)
            return Obj("const", node)
        if receiver.kind == "params" and attr in ("items", "values", "copy"):
            return Obj("params", node, members=receiver.members)  # of a dictionary of parameters
        if receiver.kind == "dict" and attr in ("items", "values", "keys", "get"):
            self.arguments(node)
            found = Obj("unknown", node, members=receiver.members)
            if attr != "get" and receiver.items and all(i.is_tensor_like for i in receiver.items):
                found.attr, found.base = attr, self.tensor_like(reduce(merge, receiver.items), node)
            return found
        return None

    def grows(self, held: Obj, item: Obj | None, node: ast.Call) -> None:
        """A list gets one more item; None: items that are not known. What each of them is like is known of a list that a
        name of this very function holds, as long as it gets nothing but tensors."""
        first = held.items == () and held.base is None
        held.items = None
        if held.kind != "list":
            return
        name = node.func.value if isinstance(node.func, ast.Attribute) else None
        scope = self.scopes_active[-1]
        own = isinstance(name, ast.Name) and scope.lookup(name.id) is scope and not self.abroad
        known = first or (held.base is not None and held.base.kind == "tensor")
        if not own or not known or item is None or item.kind != "tensor":
            held.base = None
            return
        held.base = item if held.base is None else merge(held.base, item)
        held.value = "appended"

    def super_call(self, receiver: Obj, attr: str, node: ast.Call) -> Obj:
        """``super().attr(…)``: the method of a base of the file, or unknown code that holds the instance."""
        scope = receiver.scope
        if (
            scope is not None
            and scope.parent is not None
            and isinstance(scope.parent.node, ast.ClassDef)
            and receiver.base is not None
        ):
            for base in scope.parent.node.bases:
                local = class_of(scope.parent.parent, base)
                if local is not None:
                    method = self.class_info(local).methods.get(attr)
                    if method is not None:
                        return self.local_call(method, receiver.base, node)
        if receiver.base is not None and receiver.base.kind == "instance":
            self.escape_instance(receiver.base)
        for _, _, value in self.arguments(node):
            for item in self.flatten(value):
                self.opaque_argument(item, attr == "forward", node)
        return Obj("unknown", node)

    def part_method(self, receiver: Obj, attr: str, node: ast.Call) -> Obj:
        """A method of model.layer, model.weight and the like."""
        if attr in ("parameters", "named_parameters"):
            self.arguments(node)
            base = whole_of(receiver)
            if base is None:
                return Obj("unknown", node)
            for collector in self.collectors:
                collector.append(base)
            return Obj("params", node, members=(base,), attr="part")
        args = self.arguments(node)
        for _, expr, value in args:
            self.use(value, "opaque", expr)
            for item in self.flatten(value):
                self.opaque_argument(item, False, expr) if item.is_module else None
        neutral = attr in api.MODULE_NEUTRAL or torch_model.is_answer(attr)
        what = effect(attr)
        self.touch_part(receiver, "read" if neutral else what if what != "read" else "opaque")
        return Obj("tensor", node, place=UNKNOWN_PLACE) if not neutral else Obj("unknown", node)

    def module_method(self, receiver: Obj, attr: str, node: ast.Call) -> Obj:
        """A method of a module or of its wrapper."""
        root = receiver.root()
        if attr in _PARTS:
            self.arguments(node)
            self.touch(root, "read")
            for collector in self.collectors:
                collector.append(root)
            return Obj("params", node, members=(root,), attr=attr, base=receiver)
        if root.cls is not None and attr in root.cls.layers:
            self.touch(root, "call")
            return self.forward(Obj("module", node.func, base=root, attr=attr, name=root.cls.layers[attr]), node)
        if attr == "forward" or (attr == "generate" and root.name.startswith("transformers.")):
            return self.forward(receiver, node)
        info = root.cls
        if info is not None and attr in info.methods and attr not in ("__init__",):
            # its own method: run it, on the module itself
            return self.local_call(info.methods[attr], root, node)
        field = self.state.fields.get((root, attr))
        if field is not None and field.is_module:
            return self.forward(field, node)
        args = self.arguments(node)
        if attr == "load_state_dict":
            assign = any(k == "assign" for k, _, _ in args)
            self.touch(root, "params" if assign else "load")
            return Obj("unknown", node)
        if attr == "apply":
            function = args[0][2].scope if args and args[0][2].kind in ("function", "method") else None
            self.touch(root, "init" if function is not None and only_initialises(function) else "opaque")
            return receiver
        if attr in api.MODULE_NEUTRAL:
            self.touch(root, "read")
        elif attr in api.MODULE_PARAMS:
            self.touch(root, "params")
        else:
            self.touch(root, "opaque")
        for _, expr, value in args:
            for item in self.flatten(value):
                self.opaque_argument(item, False, expr) if not item.is_module else self.touch(item.root(), "opaque")
        inner = attr not in api.MODULE_NEUTRAL or attr in ("get_submodule", "get_parameter")
        return receiver if attr in api.RETURNS_SELF else Obj("unknown", node, members=(root,) if inner else ())
