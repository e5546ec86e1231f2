"""Modules and criteria that stay on the CPU while their input is on a device, and tensors on a
device that something reads from the host's memory.

The flow analysis records both: a `stayed` event at the call, a `host` event at the reader.
"""

from __future__ import annotations

import ast
from functools import cached_property
from typing import TYPE_CHECKING

from placefix.diagnostic import Move
from placefix.facts import premises, reasons
from placefix.facts import torch_api as api
from placefix.facts.context import FileAnalysis, requires
from placefix.facts.finding import Finding
from placefix.facts.interpret.attribute_writes import ANY
from placefix.facts.interpret.class_summaries import ClassSummaries, moves_in
from placefix.facts.interpret.flow import Flow
from placefix.facts.interpret.parameter_reads import PARAMETER
from placefix.facts.interpret.values import outermost
from placefix.facts.naming import names_class
from placefix.facts.program.arguments import is_of_argument
from placefix.facts.program.ast_names import dotted, has_name, identifier, keyword_value, parameters
from placefix.facts.program.callees import chain_start, class_of, imported_definition, local_definition
from placefix.facts.wording import unite
from placefix.rules.tensors.target_devices import Destinations, is_joined
from placefix.rules.tensors.tensor_moves import moved

if TYPE_CHECKING:
    from collections.abc import Iterator

    from placefix.diagnostic import Edit
    from placefix.facts.interpret.values import Event, Obj
    from placefix.facts.program.tree import Scope, Stmt
    from placefix.facts.wording import Doubt, Premise, Reason

# Code with one of these words may choose a device.
_CHOOSE = frozenset(("device", "cuda", "cuda:0"))

# Methods of lists, dicts and modules that keep their arguments.
_KEEPS_ARGUMENTS = frozenset(
    ("append", "insert", "extend", "add_module", "register_module", "register_parameter", "update", "__init__")
)
_DEPTH = 5  # of classes whose parts are searched for layers


def _may_choose(function: Scope) -> bool:
    """Whether a function may choose the device of the layers that it makes."""
    return any(identifier(node) in _CHOOSE for node in function.nodes)


def _layers_of(cls: Scope, init: Scope | None, depth: int) -> set[str] | None:
    """The layers of torch with parameters that a class makes, and those of its bases and its parts of other classes of the repository;
    None if a constructor chooses their device, or code that is not seen receives one and may place it."""
    if init is not None and _may_choose(init):
        return None
    where = init or cls
    calls = [node for node in cls.nodes if isinstance(node, ast.Call)]
    made = {name for call in calls if (name := parametric_layer(call.func, where))}
    given = (call for call in calls if any(_makes_layer(argument, where) for argument in call.args))
    if any(not _leaves_where_made(call.func, where) for call in given):
        return None
    if not depth:
        return made
    functions = [call.func for call in calls] if init is not None else []
    parts = {part for func in functions if (part := class_of(where, func)) is not None and part is not cls}
    parts |= {base for expr in cls.node.bases if (base := class_of(where, expr)) is not None}  # type: ignore[union-attr]
    inside = [_layers_of(part, part.functions.get("__init__"), depth - 1) for part in parts]
    inside += [
        _layers_by(function, depth - 1) for func in functions if (function := _function(func, where)) is not None
    ]
    return None if None in inside else made.union(*filter(None, inside))


def _layers_by(function: Scope, depth: int) -> set[str] | None:
    """The layers of torch with parameters that a function makes, ``conv_block(3, 8)``, and those of classes that it makes; None as above."""
    if _may_choose(function) or moves_in(function):
        return None
    calls = [node.func for node in function.nodes if isinstance(node, ast.Call)]
    parts = {part for func in calls if (part := class_of(function, func)) is not None} if depth else set()
    inside = [_layers_of(part, part.functions.get("__init__"), depth - 1) for part in parts]
    made = {name for func in calls if (name := parametric_layer(func, function))}
    return None if None in inside else made.union(*filter(None, inside))


def _function(func: ast.expr, scope: Scope) -> Scope | None:
    """The function of the repository that is called; None for others."""
    local = local_definition(func, scope)
    if local is not None:
        return local if local.is_function else None
    found = imported_definition(func, scope)
    return found.scope if found is not None and found.kind == "function" else None


def _makes_layer(argument: ast.expr, scope: Scope) -> bool:
    return isinstance(argument, ast.Call) and bool(parametric_layer(argument.func, scope))


def _leaves_where_made(func: ast.expr, scope: Scope) -> bool:
    """Whether a callable leaves a layer that it gets on its device: torch's, a class of the repository, whose code is searched as well,
    or a function of the file that names no device."""
    if (scope.tree.qualname(func, scope) or "").startswith("torch.") or class_of(scope, func) is not None:
        return True
    if dotted(func).startswith("super") or (isinstance(func, ast.Attribute) and func.attr in _KEEPS_ARGUMENTS):
        return True
    function = local_definition(func, scope)
    return function is not None and not _may_choose(function)


def parametric_layer(func: ast.expr, scope: Scope) -> str:
    """The last name of a layer of torch with parameters that a call makes; empty for other calls."""
    name = scope.tree.qualname(func, scope)
    if name is None and scope.tree.root.star_import and scope.lookup(dotted(func)) is None:
        name = f"torch.nn.{dotted(func)}"
    last = (name or "").rpartition(".")[2]
    return last if name is not None and name.startswith("torch.nn.") and api.PARAMETRIC.fullmatch(last + "(") else ""


def _item_where_made(obj: Obj, node: ast.AST | None) -> ast.expr | None:
    """The item that makes a module in the list of an assignment: ``Net()`` of ``nets = [Net() for _ in range(3)]``."""
    value = node.value if isinstance(node, ast.Assign) else None
    items = [value.elt] if isinstance(value, ast.ListComp) else value.elts if isinstance(value, ast.List) else []
    return next((item for item in items if chain_start(item) is obj.origin), None)


class UnplacedModules(FileAnalysis):
    """Answers for one file."""

    flow = requires(Flow)

    # --- modules on the CPU -----------------------------------------------------------------------

    def modules(self) -> Iterator[Finding]:
        """Modules with parameters that are never placed and called with tensors of a device, or whose parameters are computed with
        together with such ("average")."""
        for obj, events in self._stayed("", "average").items():
            if self.flow.filled.get(obj) is False:
                continue  # cell.weight_hh.data = gru.weight_hh_l0.data: it is on the device of the other one
            if self.has_parameters(obj, self._sized(obj)) and not self._may_be_part(obj, events):
                yield self._at_construction(obj, events)._replace(doubt=self._doubt(obj, events[0]))

    def twins(self) -> Iterator[Finding]:
        """Results of calls that are called with tensors of a device, and never placed as those of the same calls in the function are: of the
        same class, or of the same function with the same arguments."""
        for obj, events in self._stayed("unplaced").items():
            alike = [one for one in self.flow.index.placed if _are_alike(one, obj)]
            made = self._made(obj) if alike else None
            beside = (self._made(one) for one in alike)
            if made is None or self._may_be_part(obj, events):
                continue
            if any(stmt is not None and stmt.scope is made.scope for stmt in beside):
                name = self.context.text(obj.origin.func)  # type: ignore[union-attr]
                found = self._at_construction(obj, events)
                assumed = unite(found.premises, premises.MADE_LIKE_PLACED(made=name))
                yield found._replace(what="", premises=assumed, doubt=premises.CLASS_MAY_PLACE(cls=name))

    def _doubt(self, obj: Obj, event: Event) -> Doubt | None:
        """Why a module may be on a device although nothing in the file places it, None if it cannot."""
        if obj.cls is not None and not obj.cls.closed:
            return premises.BASE_MAY_PLACE
        if not obj.proven:
            return premises.CLASS_MAY_PLACE(cls=obj.name or self._name(event))
        return premises.UNKNOWN_CODE_MAY_PLACE if "opaque" in self._touched(obj) else None

    def _may_be_part(self, obj: Obj, events: list[Event]) -> bool:
        """Whether `self`, which keeps the module, may be a module itself: its class has a base that is not known."""
        made = self._made(obj)
        target = made.node.targets[0] if made is not None and isinstance(made.node, ast.Assign) else None
        if made is not None and target is not None and dotted(target).startswith("self.") and self._in_open_class(made):
            return True
        return any(self._name(e).startswith("self.") and self._in_open_class(e.stmt) for e in events)

    def _in_open_class(self, stmt: Stmt) -> bool:
        """Whether a statement is in a method of a class with an unknown base."""
        cls = stmt.scope.cls
        return cls is not None and not self.context.get(ClassSummaries).of(cls).closed

    def parts(self) -> Iterator[Finding]:
        """Modules with parameters that are made part of a module that was placed before, and called with it."""
        found: dict[object, list[Event]] = {}
        for event in self.flow.events:
            if (
                event.kind == "stayed"
                and event.what == "part"
                and event.obj not in self.flow.index.placed
                and self.has_parameters(event.obj)
            ):
                if not self._touched(event.args[0]) & {"opaque", "wrap", "part placed"}:
                    found.setdefault(event.obj.origin, []).append(event)
        for events in found.values():
            yield self._at_construction(events[0].obj, events)

    def loss_weights(self) -> Iterator[Finding]:
        """Criteria that are never placed, with weights on the CPU, for outputs on a device."""
        for obj, events in self._stayed("weight").items():
            yield self._at_construction(obj, events)

    def _stayed(self, *kinds: str) -> dict[Obj, list[Event]]:
        """By object: the calls at which it was on the CPU, and the only thing that was; at which it was not placed, for "unplaced"."""
        found: dict[Obj, list[Event]] = {}
        for event in self.flow.events:
            device = event.place.device if event.place is not None else None
            what = event.what if event.kind == "stayed" else event.kind
            if what in kinds and device is not None and not device.is_of_tensor:
                obj = self._left(event)
                if obj is not None:
                    found.setdefault(obj, []).append(event)
        if not found:
            return {}
        made: dict[object, Obj] = {}  # one construction makes several, in a loop or in a function that is called twice
        for obj in list(found):
            first = made.setdefault(obj.origin or obj, obj)
            if first is not obj:
                found[first] += found.pop(obj)
        placed = self.flow.index.placed
        return {obj: events for obj, events in found.items() if obj not in placed and not self._may_be_moved(obj)}

    def _left(self, event: Event) -> Obj | None:
        """The module that is on the CPU, which the file makes; None if the file only gets it."""
        # code of another file may have put it into another module
        is_part = not event.what and bool(event.args) and self._made(event.obj) is None
        obj = event.args[0] if is_part else event.obj
        if obj.param or (obj.base is not None and not is_part) or obj in self.flow.held:
            return None
        if "part placed" in self._touched(obj):
            return None  # it is any item of a list, of which some are placed
        return obj if all(one.origin is obj.origin for one in obj.alts) else None

    def _may_be_moved(self, obj: Obj) -> bool:
        """Whether a module is an attribute that something unknown which is placed may be: ``getattr(self, name).to(device)``."""
        attr = self._attribute(obj)
        return bool(attr) and not self._moved_attributes.isdisjoint((attr, ANY))

    @cached_property
    def _moved_attributes(self) -> set[str]:
        """The names of the attributes that unknown things which are placed may be; `ANY` if one may be any attribute."""
        placed = (e for e in self.flow.index.of_kind("place") if e.place is not None and e.place.is_off_cpu)
        unknown = [e for e in placed if e.obj.kind in ("unknown", "params", "list", "dict")]
        return {name for event in unknown if (name := self._moved_attribute(event))}

    def _moved_attribute(self, event: Event) -> str:
        """The attribute that is placed, ``data.y.to(device)``; none for an argument of a function, or an item of one or of a loader: a module
        that the file passes there is followed."""
        call, stmt, index = event.node, event.stmt, self.context.index
        receiver = call.func.value if isinstance(call, ast.Call) and isinstance(call.func, ast.Attribute) else None
        if isinstance(receiver, ast.Attribute):
            return receiver.attr
        made = event.obj.origin
        if (
            isinstance(made, ast.Call)
            and self.context.tree.qualname(made.func, stmt.scope)
            and not has_name(made, "self")
        ):
            return ""  # a function of another package, or a class of it, knows no attribute
        return "" if receiver is not None and is_of_argument(receiver, stmt, index) else ANY

    def _attribute(self, obj: Obj) -> str:
        """The attribute that a module is made for; "" for others."""
        made = self._made(obj)
        target = made.node.targets[0] if made is not None and isinstance(made.node, ast.Assign) else None
        return target.attr if isinstance(target, ast.Attribute) else ""

    def _made(self, obj: Obj) -> Stmt | None:
        """The statement that constructs a module, or copies another one."""
        event = self._making.get(obj)
        if event is None and obj.is_unknown:  # of code that is not seen
            return next((s for c, s in self.context.index.calls if c is obj.origin), None)
        return event.stmt if event is not None else None

    @cached_property
    def _making(self) -> dict[Obj, Event]:
        """The events that first construct or copy modules, by the module."""
        return {e.obj: e for e in reversed(self.flow.events) if e.kind in ("module", "copy")}

    def _sized(self, module: Obj) -> frozenset[int]:
        """The positions of arguments that have a dimension at every call of a module: parts of batches."""
        calls = self.flow.index.of_root("call", module)
        if not all(isinstance(e.node, ast.Call) and len(e.node.args) == len(e.args) for e in calls):
            return frozenset()
        sized = [{n for n, value in enumerate(e.args) if value.dims or value.name == "moved batch"} for e in calls]
        return frozenset(set.intersection(*sized)) if sized else frozenset()

    def has_parameters(self, obj: Obj, sized: frozenset[int] = frozenset()) -> bool:
        """Whether a module has parameters on its own device; sized: see `_sized`."""
        if obj.alts:
            return all(self.has_parameters(one, sized) for one in obj.alts)
        if obj.cls is not None:
            made = _layers_of(obj.cls.scope, obj.cls.scope.functions.get("__init__"), _DEPTH)
            if made is None or made != {"Parameter"}:
                return bool(made)
            if any(cls is obj.cls.scope for cls, _ in self.flow.placed_arguments):
                return False  # they may be made of tensors that are on the device already
            from placefix.rules.tensors.module_runs import ModuleRuns  # large, and seldom needed

            # a number of one that is left on the CPU goes with everything
            return self.context.get(ModuleRuns).meets_parameters(obj.cls, sized)
        if obj.name.startswith("torch.nn."):
            return api.PARAMETRIC.match(obj.name.rpartition(".")[2] + "(") is not None or any(
                map(self.has_parameters, obj.items or ())
            )
        return obj.kind == "module"  # a network of a model library

    def _at_construction(self, obj: Obj, events: list[Event]) -> Finding:
        first, span = events[0], self.context.span
        calls = ((e.node, e.node.func) for e in events if isinstance(e.node, ast.Call))
        met = tuple(sorted({(span(call), span(func)) for call, func in calls}))
        bound = self._bound_to_call(obj, events)
        made = bound or self._made(obj)
        node = made.node if made is not None else None
        wrap = self._wrapped_where_made(obj, node)
        inner = wrap.args[0] if wrap is not None else _item_where_made(obj, node)
        if (
            made is None
            or not isinstance(node, ast.Assign)
            or (bound is None and inner is None and chain_start(node.value) is not obj.origin)
        ):
            why_not = self._why_not_here(obj, made)
            return Finding(span(first.node), first.what, why_not=why_not, met=met, names=(self._name(first),))
        call = inner or node.value
        found = Finding(span(call), first.what, met=met, names=(self.context.text(inner or node.targets[0]),))
        if obj in self.flow.filled:
            return found._replace(why_not=reasons.WEIGHTS_SET_ON_CPU)
        if first.what == "average" and self._copies_given(call, made):
            return found._replace(why_not=reasons.ARGUMENT_COPIED)
        device, hoisted = self._device(made, first)
        if not device and wrap is not None:
            device = self._first_id(wrap)
        if not device:
            return found._replace(why_not=reasons.NO_DEVICE_WHERE_MADE)
        return found._replace(
            edits=(*hoisted, moved(self.context.source, call, device)),
            premises=unite(self._premises(obj, events), self.context.get(Destinations).premises(events, device)),
            device=device,
        )

    def _why_not_here(self, obj: Obj, made: Stmt | None) -> Reason:
        """Why no assignment of the file makes a module."""
        is_here = made is not None or any(call is obj.origin for call, _ in self.context.index.calls)
        return reasons.NOT_MADE_ALONE if is_here else reasons.MADE_IN_ANOTHER_FILE

    def _bound_to_call(self, obj: Obj, events: list[Event]) -> Stmt | None:
        """The statement that binds a module to the result of the function that makes it, ``self.net = build()``, if all of these calls are of
        that name; None if the statement that makes it binds it, or none does."""
        made = self._making.get(obj) or self.flow.brought.get(obj)
        for frame in reversed(made.stack if made is not None else ()):
            node = frame.stmt.node
            if isinstance(node, ast.Assign) and len(node.targets) == 1:
                target, call = dotted(node.targets[0]), chain_start(node.value)
                is_bound = bool(target) and isinstance(call, ast.Call) and call is not obj.origin
                return frame.stmt if is_bound and all(self._name(e) == target for e in events) else None
        return None

    @staticmethod
    def _wrapped_where_made(obj: Obj, node: ast.AST | None) -> ast.Call | None:
        """The call that wraps a module in the very assignment that makes it: ``model = DDP(Net())``."""
        value = node.value if isinstance(node, ast.Assign) else None
        return value if isinstance(value, ast.Call) and value.args and value.args[0] is obj.origin else None

    def _first_id(self, wrap: ast.Call) -> str:
        """The one GPU of a wrap's ``device_ids=[gpu]``, where its module has to be."""
        ids = keyword_value(wrap, "device_ids")
        only = ids.elts[0] if isinstance(ids, (ast.List, ast.Tuple)) and len(ids.elts) == 1 else None
        return self.context.text(only) if only is not None and dotted(only) else ""

    @staticmethod
    def _copies_given(call: ast.expr, made: Stmt) -> bool:
        """Whether a function copies a module from its arguments: another caller's may be on another device."""
        given = parameters(made.scope.function.args) if made.scope.is_function else {}
        made_by = chain_start(call)
        handed = {dotted(a).partition(".")[0] for a in made_by.args} if isinstance(made_by, ast.Call) else set()
        return bool(handed & (given.keys() - {"self"}))

    def _device(self, made: Stmt, event: Event) -> tuple[str, tuple[Edit, ...]]:
        """The device to write at the construction; a definition below it is moved up."""
        device = self.context.get(Destinations).of_event(made, event)
        if device or is_joined(event.place):  # a device of another test is no device of these tensors
            return device, ()
        from placefix.rules.ordering.reorder import Reorder

        below = self.context.get(Reorder).device_below(made)
        return (
            (below[0], (Move((self.context.span(below[1]),), self.context.span(made)),))
            if below is not None
            else ("", ())
        )

    def _name(self, event: Event) -> str:
        node = event.node
        return self.context.text(node.func) if isinstance(node, ast.Call) else self.context.text(node)

    def _premises(self, obj: Obj, events: list[Event]) -> Iterator[Premise]:
        """The premises of the repair; none if every use of the object fails on a device without it."""
        yield from obj.premises
        for event in events:
            device = event.place.device if event.place is not None else None
            if device is not None and device.index not in (None, 0):
                yield premises.ARGUMENTS_ON_NUMBERED_GPU
        calls = (e for e in self.flow.index.of_kind("call") if outermost(e.obj.root()) is obj)
        if any(c.node not in {e.node for e in events} for c in calls):
            yield premises.SOME_CALLS_ON_CPU
        if self._touched(obj) & {"opaque", "copied", "wrap"}:
            yield premises.MODULE_WANTED_ELSEWHERE

    def _touched(self, obj: Obj) -> set[str]:
        """The effects of statements on an object."""
        return self._touches.get(obj, set())

    @cached_property
    def _touches(self) -> dict[Obj, set[str]]:
        """The effects of statements, by object."""
        found: dict[Obj, set[str]] = {}
        for obj, what in (touch for touched in self.flow.touches.values() for touch in touched):
            found.setdefault(obj, set()).add(what)
        return found

    # --- tensors read from the host ---------------------------------------------------------------

    def read_on_host(self, what: str) -> Iterator[Finding]:
        """Tensors of a device whose memory the host reads: "numpy", "numpy list" (those in a list), or "lengths" of packed
        sequences."""
        seen: set[ast.expr] = set()
        for event in self.flow.events:
            node = event.arg_node
            if event.kind != "host" or event.what != what or node is None or node in seen or self._tried(event.stmt):
                continue
            device = event.place.device if event.place is not None else None
            if device is None or (device.is_of_tensor and what != "lengths"):
                continue  # the device of another tensor may be the CPU
            seen.add(node)
            if what == "numpy list":
                why = reasons.COPY_WHERE_ADDED
                yield Finding(self.context.span(node), why_not=why, device="cpu", names=(self.context.text(node),))
                continue
            may_be_list = what == "lengths" and self._is_of_several_calls(node, event)
            tensors = not may_be_list and all(self._gives_tensors(root) for root in event.args)
            premise = None if tensors else premises.LIST_PASSED
            owned = event.obj.premises if event.obj.name == PARAMETER else ()
            yield Finding(
                self.context.span(node),
                edits=(moved(self.context.source, node, ".cpu()"),),
                premises=unite(premise, owned),
                device="cpu",
                names=(self.context.text(node),),
            )

    def _is_of_several_calls(self, node: ast.expr, event: Event) -> bool:
        """Whether a value is a parameter of a function that other calls than this one may give a list."""
        scope = event.stmt.scope
        if not isinstance(node, ast.Name) or event.args or not scope.is_function:
            return False
        given = node.id in parameters(scope.function.args) and not self.context.index.binding(scope, node.id)
        return given and len(self.context.index.called(scope.name)) != 1

    def _gives_tensors(self, module: Obj) -> bool:
        """Whether all that the file calls a class of modules with is known to be tensors."""
        calls = [e for e in self.flow.index.of_kind("call") if e.obj.root().cls is module.cls]
        return all(value.is_tensor_like for call in calls for value in call.args)

    def _tried(self, stmt: Stmt) -> bool:
        """Whether the statement is alone in a `try` with a handler, which may be another way to do the same."""
        parent = stmt.parent
        node = parent.node if parent is not None else None
        return isinstance(node, ast.Try) and bool(node.handlers) and len(node.body) == 1 and stmt.suite.arm == "body"


def _are_alike(placed: Obj, other: Obj) -> bool:
    """Whether two calls make the same kind of thing; they may pick it from two registries, by the same key: ``HEADS[kind](config)``."""
    one, made = placed.origin, other.origin
    if one is made or not isinstance(one, ast.Call) or not isinstance(made, ast.Call):
        return False
    if names_class(dotted(made.func)):
        return dotted(one.func) == dotted(made.func)
    return _words(one) == _words(made)


def _words(made: ast.Call) -> str:
    """The text of a call, without ``self.`` and the name of a registry that it picks its function from."""
    text = ast.unparse(made)
    registry = dotted(made.func.value) if isinstance(made.func, ast.Subscript) else ""
    return text.removeprefix(registry).replace("self.", "")
