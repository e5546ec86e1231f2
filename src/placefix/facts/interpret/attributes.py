"""Reads of attributes in the abstract interpreter: one transfer function for each kind of value.

`ATTRIBUTES` has the function of a kind. It returns None where the attribute is like that of any other object: a slot of the state.
"""

from __future__ import annotations

import ast
import re
from typing import TYPE_CHECKING

from placefix import torch_model
from placefix.facts import premises
from placefix.facts import torch_api as api
from placefix.facts.interpret.class_summaries import is_cached
from placefix.facts.interpret.values import Obj, whole_of
from placefix.facts.naming import last, names_device_or_number, names_device_owner, names_settings
from placefix.facts.program.ast_names import dotted
from placefix.facts.program.device_values import Device
from placefix.torch_model import libraries

if TYPE_CHECKING:
    from collections.abc import Callable

    from placefix.facts.interpret.interpreter_base import Machine
    from placefix.facts.interpret.values import ObjKind
    from placefix.facts.program.device_values import DeviceKind

# A slot of a data set that unknown code has been given.
ESCAPED = "*"


def attribute(machine: Machine, base: Obj, node: ast.Attribute) -> Obj:
    """The value of ``base.attr``."""
    if machine.has_wrappers:
        machine.owners[node].append(base)
    if base.kind == "compiled" and node.attr == "_orig_mod" and base.base is not None:
        return base.base
    base = base.uncompiled()  # which has the attributes of the module
    transfer = ATTRIBUTES.get(base.kind)
    found = transfer(machine, base, node) if transfer is not None else None
    return found if found is not None else _of_slot(machine, base, node)


def _of_import(machine: Machine, base: Obj, node: ast.Attribute) -> Obj:
    """``torch.float32``, ``package.name``."""
    attr = node.attr
    name = api.canonical(f"{base.name}.{attr}")
    if base.name == "torch" and attr in api.DTYPES:
        return Obj("dtype", node)
    if base.scope is not machine.tree.root:  # passed by another file
        return Obj("import", name=name, scope=base.scope)
    written = machine.state.fields.get((base, attr))
    if written is not None:  # by this file, which overrides the definition in the other one
        return written if written.is_device else Obj("import", name=name)
    return machine.imported(name)


def _of_module(machine: Machine, base: Obj, node: ast.Attribute) -> Obj:
    """A device, a method, a module where the text shows it to be one, else a part of the module."""
    root, attr = base.root(), node.attr
    machine.touch(root, "read")
    if torch_model.gives_place(attr):
        machine.asked(base)
    if attr == "module" and base.is_wrapper and base.base is not None:
        return base.base
    slot = (root, attr)
    shown = _of_property(machine, root, node)
    if shown is not None:
        return shown
    value = machine.state.fields.get(slot)
    if value is None:
        if names_device_or_number(attr):
            value = _device_by_name(machine, node, "other")
        elif root.cls is not None and attr in root.cls.methods:
            return Obj("method", node, scope=root.cls.methods[attr], base=root)
        else:
            value = Obj("part", node, base=root, attr=attr)  # a layer, a parameter, a plain attribute
        machine.state.fields[slot] = value
    if (
        value.kind in ("unknown", "part")
        and attr in machine.evident
        and machine.has_evidence(machine.source.code(node))
    ):
        value = machine.state.fields[slot] = Obj("module", node, base=root, attr=attr)
    return value


def _of_property(machine: Machine, owner: Obj, node: ast.Attribute) -> Obj | None:
    """The result of a property of a class of the repository; None if the attribute is none, or its value is not known."""
    getter = owner.cls.properties.get(node.attr) if owner.cls is not None else None
    if getter is None:
        return None
    slot = (owner, node.attr)
    kept = machine.state.fields.get(slot)
    cached = is_cached(getter)
    if kept is not None and cached:
        return kept
    value = machine.accessed(getter, owner, node)
    if value is None or value.kind in ("unknown", "const"):
        return _device_by_name(machine, node, "other") if names_device_or_number(node.attr) else value
    if cached:
        machine.state.fields[slot] = value
    return value


def _of_tensor(machine: Machine, base: Obj, node: ast.Attribute) -> Obj:
    """``x.T`` and ``x.data`` are on the device of the tensor (rows of the model of torch); an element may be a batch object with tensors."""
    attr = node.attr
    if torch_model.gives_place(attr):
        machine.asked(base)
    if attr == "device":
        known = base.place.device if base.place is not None and base.place.is_off_cpu else None
        device = (known or Device("tensor"))._replace(text=machine.source.code(node))
        return Obj("device", node, device=device, base=base)
    operator = torch_model.attribute(attr)
    if operator is not None and operator.follows:
        return machine.tensor_like(base, node)
    if torch_model.is_answer(attr):
        # `x.is_cuda` may have another answer if `x` is made on a device
        asked = torch_model.gives_place(attr) and torch_model.is_factory(base.name)
        machine.use(base, "asked" if asked else "neutral", node)
        return Obj("unknown", node, name=attr, members=base.members, whole=base if base.members else None)
    if base.is_element and base.value != "tensor":
        return machine.item_of(base, "." + attr, node)
    if _is_named_tuple(machine, base):
        return machine.tensor_like(base, node)
    machine.use(base, "opaque", node)
    return Obj("unknown", node)


def _is_named_tuple(machine: Machine, result: Obj) -> bool:
    """Whether an operator of torch gave several tensors, which its result has as attributes: the ``values`` of ``x.max(1)``."""
    call = result.origin
    if not isinstance(call, ast.Call):
        return False
    operator = torch_model.function(machine.tree.qualname(call.func, machine.scopes_active[-1]))
    if operator is None and isinstance(call.func, ast.Attribute):
        operator = torch_model.method(call.func.attr)
    return operator is not None and any(kind.startswith("tuple") for kind in operator.returns)


def _of_encoding(machine: Machine, base: Obj, node: ast.Attribute) -> Obj:
    row = libraries.member(base.name, node.attr)
    held = base.base if row is not None and row.result == "held" else None
    return held or Obj("unknown", node)


def _of_optimizer(machine: Machine, base: Obj, node: ast.Attribute) -> Obj:
    machine.touch(base, "use")
    return Obj("unknown", node)


def _of_loader(machine: Machine, base: Obj, node: ast.Attribute) -> Obj | None:
    return (base.base or Obj("unknown", node)) if node.attr == "dataset" else None


def _of_dataset(machine: Machine, base: Obj, node: ast.Attribute) -> Obj | None:
    """``MNIST(…).data``, unless the file has moved it, or unknown code may have."""
    fields = machine.state.fields
    if (base, node.attr) in fields or (base, ESCAPED) in fields or base.value is not None:
        return None
    found = machine.library_attribute(base, node)
    if found is not None:
        fields[base, node.attr] = found
    return found


def _of_device(machine: Machine, base: Obj, node: ast.Attribute) -> Obj | None:
    """``device.type`` is a device by name, ``device.index`` a number."""
    if node.attr not in ("type", "index") or (base, node.attr) in machine.state.fields:
        return None
    return Obj("device" if node.attr == "type" else "const", node, device=base.device)


ATTRIBUTES: dict[ObjKind, Callable[[Machine, Obj, ast.Attribute], Obj | None]] = {
    "import": _of_import,
    "module": _of_module,
    "wrapper": _of_module,
    "tensor": _of_tensor,
    "element": _of_tensor,
    "encoding": _of_encoding,
    "optimizer": _of_optimizer,
    "scheduler": _of_optimizer,
    "loader": _of_loader,
    "dataset": _of_dataset,
    "device": _of_device,
}


# --- attributes of any other object ----------------------------------------------------------------------------------------


def _of_slot(machine: Machine, base: Obj, node: ast.Attribute) -> Obj:
    """The value of a slot of the state; an unknown value is stored, so that it is the same object at the next read."""
    attr = node.attr
    if torch_model.gives_place(attr):
        machine.asked(base)
    slot = (base, attr)
    shown = _of_property(machine, base, node)
    if shown is not None:
        return shown
    value = machine.state.fields.get(slot)
    if value is not None and value.is_tensor_like and base.cls is not None and "__getattribute__" in base.cls.methods:
        return Obj("unknown", node, name=attr)
    if value is None:
        if base.cls is not None and attr in base.cls.methods:
            return Obj("method", node, scope=base.cls.methods[attr], base=base)
        value = machine.state.fields[slot] = _first_read(machine, base, node)
    if base.is_instance and value.kind in ("dict", "unknown"):
        value.owner = base
    if attr in machine.evident:
        shown = _shown_module(machine, base, value, node)
        if shown is not value:
            value = machine.state.fields[slot] = shown
    if value.is_module:
        machine.touch(value.root(), "read")
    elif value.kind in ("optimizer", "scheduler"):
        machine.touch(value, "read")
    return value


def _first_read(machine: Machine, base: Obj, node: ast.Attribute) -> Obj:
    """The value of an attribute that the file has not set so far."""
    attr = node.attr
    if names_device_or_number(attr):
        kind: DeviceKind = "tensor" if attr == "device" and not _is_device_owner(node.value) else "other"
        return _device_of_class(machine, base, attr) or _device_by_name(machine, node, kind)
    if base.is_part:
        return Obj("part", node, base=base, attr=attr)
    name = f"{base.name}.{attr}" if base.name else attr
    if attr == "next_functions" and base.members and last(base.name) == "grad_fn":
        machine.event("accumulator", node, base.whole or base)
        return Obj("unknown", node)  # its methods change no parameter
    # an attribute of one of a module's parameters or layers is still the module's
    members = base.members if base.is_unknown else ()
    whole = base if base.is_unknown else None
    return Obj("unknown", node, name=name, members=members, given=base.given, whole=whole)


def _is_device_owner(owner: ast.expr) -> bool:
    """Whether an object has a device by choice: the object itself, settings and parts of them (``cfg.train``), or the settings that an
    object has (``self.args``)."""
    if isinstance(owner, ast.Attribute):
        return names_settings(owner.attr) or names_settings(dotted(owner).partition(".")[0])
    return isinstance(owner, ast.Name) and names_device_owner(owner.id)


def _shown_module(machine: Machine, base: Obj, value: Obj, node: ast.Attribute) -> Obj:
    """A module where the text shows the attribute to be one, else the value."""
    if value.is_unknown:
        return machine.by_evidence(node, value)
    if value.is_part and machine.has_evidence(machine.source.code(node)):
        return Obj("module", node, base=whole_of(base), attr=node.attr)
    return value


def _device_by_name(machine: Machine, node: ast.Attribute, kind: DeviceKind) -> Obj:
    text = machine.source.code(node)
    return Obj("device", node, device=Device(kind, text), premises=(premises.DEVICE_BY_NAME(name=text),))


def _device_of_class(machine: Machine, base: Obj, attr: str) -> Obj | None:
    """The device, or its name, that the body of a class gives an attribute, and nothing else in the file does: ``CFG.device``, also of
    an object of the class."""
    cls = base.scope if base.kind == "class" else None
    if base.is_instance and base.cls is not None and not base.cls.bases:
        cls = base.cls.scope
    bindings = cls.bindings.get(attr, ()) if cls is not None else ()
    node = bindings[0] if len(bindings) == 1 else None
    if cls is None or not (isinstance(node, ast.Assign) and len(node.targets) == 1):
        return None
    write = rf"\s*\.\s*{attr}\s*(:[^=\n]*)?=[^=]"
    if re.search(rf"\b{cls.name}{write}|\bsetattr\(\s*{cls.name}\b", machine.source.text):
        return None
    if base.is_instance and (
        cls.node not in machine.tree.stmts
        or re.search(rf"(?<!\bself){write}|\bsetattr\(|__dict__|\bvars\(", machine.source.text)
        or re.search(rf"\bself{write}", machine.source.code(cls.node))
    ):
        return None
    machine.scopes_active.append(cls)
    value = machine.eval(node.value)
    machine.scopes_active.pop()
    return value if value.is_device or (value.is_constant and isinstance(value.value, str)) else None
