"""The device of an input, or of a parameter of the module, for a value that a function makes."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from placefix import torch_model
from placefix.facts.devices.captured_functions import CapturedFunctions
from placefix.facts.devices.device_selection import Devices
from placefix.facts.devices.execution import Execution
from placefix.facts.interpret.class_summaries import ClassSummaries
from placefix.facts.interpret.flow import Flow
from placefix.facts.interpret.provenance import TORCH, Provenance
from placefix.facts.naming import names_host_value
from placefix.facts.program.arguments import receiver_name, self_name
from placefix.facts.program.assignments import assigned_text
from placefix.facts.program.ast_names import (
    called_names,
    chain_root,
    defaults,
    dotted,
    identifiers,
    is_name,
    parameters,
)
from placefix.facts.program.tree import dominates
from placefix.rules.cuda.device_agreement import Meets
from placefix.torch_model import modules

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from placefix.facts.context import AnalysisContext
    from placefix.facts.devices.cuda_uses import Site
    from placefix.facts.program.conditions import Test
    from placefix.facts.program.tree import Scope, Stmt

_TENSOR_ASKED = torch_model.marked("input")
# A tensor without dimensions, on the CPU, is accepted beside tensors of any device.
_OF_DIMENSIONS = torch_model.marked("dimensions")
_OF_TENSORS_ALONE = torch_model.marked("only")
# Attributes of values that lie elsewhere afterwards, or are no tensors.
_MOVES = ("cuda", "cpu", "to", "numpy", "tolist", "data.cuda", "keys", "items", "append")


class InputDevices:
    """The devices of tensors in the functions of one file."""

    def __init__(self, context: AnalysisContext) -> None:
        self.context = context
        self.devices = context.get(Devices)
        self._tensors: dict[Scope, list[tuple[str, Stmt]]] = {}  # the answers of `_unmoved`
        self._asking: dict[Scope, bool] = {}  # the answers of `asks_argument`
        self._with_device: dict[Scope, list[str]] = {}  # the names for which `_has_device_read` is true

    def of_tensor(self, site: Site) -> str:
        """``x.device`` of a parameter, or of a tensor that the function computes, if the placed value meets it in an operation; else an
        empty string: the device of another one, such as labels on the CPU, may differ from the device in the call."""
        scope = site.stmt.scope
        if not scope.is_function or not self._follows_inputs(scope):
            return ""
        if not self._is_made(site):
            moves = site.form in ("cuda", "to") and site.receiver is not None
            return (self._asked(site) or self._met(site)) if moves else ""
        meets = self.context.get(Meets)
        local = (name for name in self._locals(scope, site.stmt) if meets.local(site, name))
        met = self.of_parameter(site) or next((f"{name}.device" for name in local), "")
        return met or self._asked(site) or self._met(site)

    def of_parameter(self, site: Site) -> str:
        """``x.device`` of a parameter, if a tensor that the function makes meets it in an operation; else an empty string."""
        scope, meets = site.stmt.scope, self.context.get(Meets)
        if not scope.is_function or not self._is_made(site):
            return ""
        return next((f"{name}.device" for name in self._inputs(scope) if meets.parameter(site, name)), "")

    def of_attribute(self, site: Site) -> str:
        """``self.mask.device`` of a tensor that an object holds, if a tensor that a method makes meets it; else an empty string."""
        scope, meets = site.stmt.scope, self.context.get(Meets)
        if not scope.is_function or not self._is_made(site):
            return ""
        held = (text for text in meets.attributes(site) if not self._is_host_value(text, scope))
        tensors = (text for text in held if any(self._reads(text, attr, scope) for attr in _OF_DIMENSIONS))
        return next((f"{text}.device" for text in tensors), "")

    def _is_made(self, site: Site) -> bool:
        """Whether a tensor is placed that the function makes."""
        if site.form == "cuda" or site.form == "to":
            made = self.context.get(Provenance).is_made_on_host
            return site.receiver is not None and made(site.receiver, site.stmt.scope)
        name = self.context.tree.qualname(site.node.func, site.stmt.scope) if isinstance(site.node, ast.Call) else ""
        return (name or "").startswith("torch.")

    def _met(self, site: Site) -> str:
        """The device of a tensor that the placed value meets, if that is no module; else an empty string."""
        scope, meets = site.stmt.scope, self.context.get(Meets)
        if self._is_module(site):
            return ""
        own = dotted(site.receiver) if site.receiver is not None else ""
        for name in meets.tensors(site):
            host = name == own or self._is_host_value(name, scope)
            if not host and not any(self._reads(name, a, scope) for a in _MOVES):
                return f"{name}.device"
        return ""

    def of_layer(self, site: Site) -> str:
        """``self.fc.weight.device`` of a layer of the module that the placed value meets in a method, or an empty string."""
        scope = site.stmt.scope
        if not scope.is_function or not self._follows_inputs(scope) or self._is_module(site):
            return ""
        return next((f"{layer}.weight.device" for layer in self.context.get(Meets).layers(site)), "")

    def follow_callers(self, site: Site) -> bool:
        """Whether `site` places a tensor in a function whose callers decide where the other tensors are: in a library, in a method of a
        module, or in a function if it may meet an argument."""
        scope = site.stmt.scope
        if not scope.is_function or not self._follows_inputs(scope) or self._is_module(site):
            return False
        if not self.context.get(Execution).is_library:
            return False
        return scope.cls is not None or self.context.get(Meets).may_meet_arguments(site)

    def asks_argument(self, scope: Scope) -> bool:
        """Whether a function reads the device of something that an argument holds: ``net.fc.weight.device``."""
        if not scope.is_function:
            return False
        if scope not in self._asking:
            given = set(parameters(scope.function.args)) - {self_name(scope)}
            self._asking[scope] = any(
                isinstance(node, ast.Attribute)
                and node.attr == "device"
                and (text := dotted(node)).count(".") > 1
                and text.partition(".")[0] in given
                for node in scope.nodes
            )
        return self._asking[scope]

    def _is_module(self, site: Site) -> bool:
        """Whether a module is placed: a move as a statement has no other effect than to place one, and no tensor is called."""
        node = site.stmt.node
        names = {assigned_text(node), dotted(site.receiver) if site.receiver is not None else ""} - {""}
        if (isinstance(node, ast.Expr) and node.value is site.node) or any(
            stmt.scope is site.stmt.scope and dotted(call.func) == name
            for name in names
            for call, stmt in self.context.index.called(name.rpartition(".")[2])
        ):
            return True
        return any(value.is_module for value in self.context.get(Flow).values.get(site.node, ()))

    def _asked(self, site: Site) -> str:
        """``x.device`` of a tensor of the function whose device the function itself reads, if the placed value, which is no module, meets
        it; else an empty string."""
        scope, moved = site.stmt.scope, site.receiver
        if self._is_module(site):
            return ""
        meets, index = self.context.get(Meets), self.devices.index
        if scope not in self._with_device:
            self._with_device[scope] = [name for name in scope.bindings if self._has_device_read(name, scope)]
        for name in self._with_device[scope]:
            if (
                (moved is None or name != dotted(moved))
                and any(dominates(binder, site.stmt) for binder in index.binding(scope, name))
                and meets.local(site, name)
            ):
                return f"{name}.device"
        return ""

    def _has_device_read(self, name: str, scope: Scope) -> bool:
        """Whether a function reads the device of a name and moves it nowhere."""
        return (
            not names_host_value(name)
            and self._reads(name, "device", scope)
            and not any(self._reads(name, attr, scope) for attr in _MOVES)
        )

    def _inputs(self, scope: Scope) -> Iterator[str]:
        """The parameters of a function that are tensors by their use; in TorchScript, those without a type too."""
        arguments = scope.function.args
        scripted = self.context.get(CapturedFunctions).is_scripted(scope)
        untyped = {a.arg for a in arguments.args if scripted and a.annotation is None}
        optional = {receiver_name(scope), *defaults(arguments)}
        for name in (argument.arg for argument in (*arguments.posonlyargs, *arguments.args)):
            is_tensor = name in untyped or self._is_input(name, scope)
            if is_tensor and name not in optional and not self._is_host_value(name, scope):
                yield name

    def of_guarded(self, sites: Sequence[Site]) -> str:
        """``x.device`` of a tensor of the function that all values of a guard meet, whether or not the guard is true, or an empty string."""
        scope, guard = sites[0].stmt.scope, sites[0].guard
        if guard is None or not scope.is_function or not self._follows_inputs(scope):
            return ""
        meets = self.context.get(Meets)
        met = (
            name
            for name in self._locals(scope, guard.stmt)  # a parameter may be an array where nothing is on a GPU
            if all(meets.tensor_beyond(site, name) for site in sites)
        )
        return next((f"{name}.device" for name in met), "")

    def beside_module_flag(self, sites: Sequence[Site]) -> str:
        """``x.device`` of a tensor of the function, an argument as well, or the device of a layer's weight, which all values of a guard meet in
        any case; "" without one."""
        meets = self.context.get(Meets)
        tensor = next((f"{name}.device" for name in meets.tensors_beyond(sites)), "")
        return tensor or next((f"{layer}.weight.device" for layer in meets.layers_beyond(sites)), "")

    def is_flag_of_module(self, test: Test, scope: Scope) -> bool:
        """Whether a test in a method of a module, other than its constructor, reads an attribute of that: whoever moves the module has to keep
        such a flag right."""
        me = self_name(scope) if scope.is_function else ""
        owned = bool(me) and scope.cls is not None and any(read.startswith(f"{me}.") for read in test.reads)
        return owned and not test.available and self._follows_inputs(scope)

    def is_met(self, site: Site, device: str) -> bool:
        """Whether a device is that of a tensor of the function, as `of_guarded` or `beside_module_flag` gives it, which the value of a guarded
        `site` meets."""
        name, guard = device.removesuffix(".device"), site.guard
        if guard is None or name == device:
            return False
        meets = self.context.get(Meets)
        if "." in name:
            return name.removesuffix(".weight") in meets.layers_beyond([site])
        found = name in self._locals(site.stmt.scope, guard.stmt) and meets.tensor_beyond(site, name)
        return found or name in meets.tensors_beyond([site])

    def _locals(self, scope: Scope, point: Stmt) -> Iterator[str]:
        """The names of tensors with dimensions that a function binds once, before `point`, and moves nowhere."""
        if scope not in self._tensors:
            self._tensors[scope] = list(self._unmoved(scope))
        return (name for name, binder in self._tensors[scope] if dominates(binder, point))

    def _unmoved(self, scope: Scope) -> Iterator[tuple[str, Stmt]]:
        """The names of tensors with dimensions that a function binds once and moves nowhere, and where it binds them."""
        index = self.devices.index
        for name in scope.bindings:
            binders = index.binding(scope, name)
            values = [w.value for w in index.values(scope, name) if w.stmt in binders]
            if (
                len(binders) == len(values) == 1
                and values[0] is not None
                and not names_host_value(name)
                and any(self._reads(name, attr, scope) for attr in _OF_DIMENSIONS)
                and not any(self._reads(name, attr, scope) for attr in _MOVES)
                and self.context.get(Provenance).of(values[0], scope, "to") == TORCH
            ):
                yield name, binders[0]

    def of_weight(self, site: Site) -> str:
        """``self.fc.weight``: a parameter of a layer of the module whose method this is, or an empty string."""
        scope = site.stmt.scope
        me = self_name(scope) if scope.is_function else ""
        if not me or scope.parent is None or not self._follows_inputs(scope):
            return ""
        layers = self.context.get(ClassSummaries).of(scope.parent).layers
        return next((f"{me}.{attr}.weight" for attr, name in layers.items() if modules.has_weight(name)), "")

    def _follows_inputs(self, scope: Scope) -> bool:
        """A method of a module, but for its constructor, a function of a library file, or one that TorchScript compiles; none of which
        a graph is recorded. A class with a `forward` is taken for a module: its bases may be in other files."""
        parent, cls = scope.parent, scope.cls
        captured = self.context.get(CapturedFunctions)
        if captured.is_scripted(scope) or captured.is_traced(scope):
            return not captured.is_traced(scope)
        if cls is not None:
            return scope.name not in ("__init__", "__new__", "setup") and (
                "forward" in cls.functions or self.context.get(ClassSummaries).of(cls).is_module
            )
        return parent is not None and parent.is_root and not self.context.get(Execution).is_script

    def _reads(self, name: str, attr: str, scope: Scope) -> bool:
        """Whether a function reads an attribute, or a chain of them, of a name."""
        return any(s.scope is scope for _, s in self.devices.index.read(f"{name}.{attr}"))

    def _is_host_value(self, name: str, scope: Scope) -> bool:
        """Whether the name of a value is that of one on the CPU, and the function calls nothing of it that only tensors have."""
        return names_host_value(name) and not any(self._reads(name, attr, scope) for attr in _OF_TENSORS_ALONE)

    def _is_chained(self, name: str, scope: Scope) -> bool:
        """Whether an assignment to a parameter calls a method of tensors behind others of it: ``n = n.round().long()``."""
        for write in self.devices.index.values(scope, name):
            link = write.value
            while isinstance(link, ast.Call) and isinstance(link.func, ast.Attribute):
                inner = link.func.value
                if link.func.attr in _TENSOR_ASKED and is_name(chain_root(inner), name):
                    return True
                link = inner
        return False

    def _is_input(self, name: str, scope: Scope) -> bool:
        """Whether a parameter is a tensor by how the function uses it, and stays where it came from."""
        index = self.devices.index
        if not any(self._reads(name, attr, scope) for attr in _TENSOR_ASKED) and not self._is_chained(name, scope):
            return False
        if any(self._reads(name, attr, scope) for attr in _MOVES):
            return False
        for binder in index.binding(scope, name):
            value = next((w.value for w in index.values(scope, name) if w.stmt is binder), None)
            if value is None or name not in identifiers(value) or _leaves_device(value):
                return False
        return not any(
            isinstance(s.node, (ast.For, ast.AsyncFor)) and dotted(s.node.iter) == name
            for _, s in index.read(name)
            if s.scope is scope
        )


def _leaves_device(value: ast.expr) -> bool:
    """Whether a value may be on another device than its operands, or be no tensor."""
    called = called_names(value)
    return not called.isdisjoint({"cuda", "cpu", "to", "list", "tuple"}) or any(
        "pack_padded" in name or "numpy" in name or "tolist" in name for name in called
    )
