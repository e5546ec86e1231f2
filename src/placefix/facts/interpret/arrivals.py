"""Values that arrive together: a run of the interpreter in which values that the code moves in part are batches of the CPU.

In ``for x, y in loader: y = y.to(device)`` nothing shows the place of `x`, but `x` and `y` arrive together, and `y` is moved. `Arrivals`
runs the file with one assumption for each such value: its parts are on the CPU until a line moves them. All that follows from an
assumption has it as a premise (`premises.ARRIVES_WITH`).

The run takes two more things for granted: a value that is called with tensors, and whose code is not seen, is a module that returns
tensors on their device (`premises.RETURNS_ON_DEVICE`); and ``setattr(self, key, value)`` sets no attribute that the class sets by its
name (`premises.SETS_OTHERS`).
"""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, Any

from placefix import torch_model
from placefix.facts import premises
from placefix.facts import torch_api as api
from placefix.facts.interpret.arriving_values import (
    batch_of,
    call_words,
    is_discarded,
    is_given_tensor,
    is_of_method,
    returns_on_device,
    source_of,
)
from placefix.facts.interpret.attribute_writes import ANY
from placefix.facts.interpret.flow import Flow
from placefix.facts.interpret.values import HOST, UNKNOWN_PLACE, Event, Obj
from placefix.facts.naming import (
    last,
    mentions_modules,
    names_called_module,
    names_class,
    names_criterion,
    names_host_value,
    names_lengths,
)
from placefix.facts.program.ast_names import dotted
from placefix.facts.program.placing_calls import goes_to_host
from placefix.facts.wording import unite

if TYPE_CHECKING:
    from collections.abc import Mapping

    from placefix.facts.context import AnalysisContext
    from placefix.facts.interpret.arriving_values import Assumption, Assumptions, CallWords, FedAlike
    from placefix.facts.interpret.attribute_writes import Store
    from placefix.facts.interpret.interpreter_base import Arguments
    from placefix.facts.interpret.state import State
    from placefix.facts.interpret.values import ClassInfo, EventKind, Place
    from placefix.facts.program.tree import Scope


class Arrivals(Flow):
    """The device flow of a context's file, with assumptions about what arrives. The functions that get such a value are run as well.

    scatters: whether a module that is not seen may move its inputs, as DataParallel does. unread: the functions that do not read the
    device which they get: they are run as well. fed: the functions that call something with a tensor on a device, by the words of the
    call.
    """

    def __init__(
        self,
        context: AnalysisContext,
        assumed: Assumptions,
        *,
        scatters: bool,
        unread: frozenset[Scope] = frozenset(),
        fed: Mapping[CallWords, FedAlike],
    ) -> None:
        self._assumed = assumed
        self._fed = fed
        self._unread = unread
        self._lines = {getattr(origin, "lineno", 0) for origin in assumed}
        self._scatters = scatters
        self._batches: dict[Obj, Obj] = {}  # unknown value -> the batch that it is taken for
        self._because: dict[Obj, Assumption] = {}  # batch -> the assumption
        self._given: dict[ast.Call, Arguments] = {}  # the arguments of each call, the last time
        self._read: dict[
            Obj, tuple[Obj, ast.Call, ast.expr]
        ] = {}  # the module that reads an element, the call, the argument
        self._of_modules: set[Obj] = set()  # the results of modules, and values computed from them
        self.leaves_out = False  # whether the run takes for granted what ``setattr(self, key, value)`` sets
        self._entered: dict[
            tuple[Obj, Scope], Place
        ] = {}  # where a function has called a module with a tensor on a device
        self._annotated: set[Obj] = set()  # arguments that are tensors by their annotations
        self._unseen: set[Obj] = set()  # modules that nothing is known of but their place
        self._tensors: set[Obj] = set()  # operands of operations that take no number
        # Batches, or loaders, of which a part is moved to a device, with its text; None if nothing reads the moved part.
        self._parted: dict[Obj, str | None] = {}
        self.reads: list[Event] = []  # of results of modules that are not seen, by the host
        super().__init__(context)
        self.events = [event for event in self.events if not self._is_number(event)]

    def _is_number(self, event: Event) -> bool:
        """Whether a conflict is one of arithmetic with a part of a batch that may be a number."""
        if event.kind != "conflict" or isinstance(event.node, (ast.Call, ast.Subscript)):
            return False
        parts = [part for part in (event.obj, *event.obj.roots) if batch_of(part) in self._because]
        known = all(part.value == "tensor" or part in self._tensors for part in parts)
        return bool(parts) and not known and not returns_on_device(event.obj)

    def places(self, scope: Scope) -> bool:
        """Whether a scope is run though nothing calls it: it may place something, or a value arrives there."""
        if super().places(scope) or scope in self._unread:
            return True
        start, end = scope.node.lineno, scope.node.end_lineno or 0  # type: ignore[union-attr]
        return scope.tree is self.own and any(start <= line <= end for line in self._lines)

    # --- batches --------------------------------------------------------------------------------------

    def eval(self, node: ast.expr) -> Obj:
        """The value of an expression; a batch where that is assumed."""
        value = super().eval(node)
        return self._arrived(value) if self._assumed else value

    def collected(self, expr: ast.expr) -> Obj:
        """The value of an operand; a batch where that is assumed."""
        value = super().collected(expr)
        return self._arrived(value) if self._assumed else value

    def item_of(self, value: Obj, key: object, node: ast.expr) -> Obj:
        """An item of a value, which may be a batch by assumption."""
        return self._follow((value,), super().item_of(self._arrived(value), key, node))

    def tensor_like(self, base: Obj, node: ast.expr, *, scalar: bool = False) -> Obj:
        """A tensor on the device of `base`, which may be the result of a module."""
        return self._follow((base,), super().tensor_like(base, node, scalar=scalar))

    def _follow(self, operands: tuple[Obj, ...], result: Obj) -> Obj:
        """A result, which is computed from that of a module if an operand is."""
        if not self._of_modules.isdisjoint(operands):
            self._of_modules.add(result)
        return result

    def _arrived(self, value: Obj) -> Obj:
        """The batch that an unknown value is taken for; any other value itself."""
        if value.alts or value.origin not in self._assumed or not (value.is_unknown or is_given_tensor(value)):
            return value
        batch = self._batches.get(value)
        if batch is None:
            assumed = self._assumed[value.origin]
            batch = Obj("element", value.origin, place=HOST, premises=(assumed.premise,), param=value.param)
            if value.kind == "tensor":
                batch.value = "tensor"
                self._annotated.add(batch)
            self._batches[value] = batch
            self._because[batch] = assumed
            self.known_as(value, batch)
        return batch

    def _stores_of(self, attr: str, info: ClassInfo) -> list[Store]:
        """Where the files of a class set an attribute under its name: ``setattr(self, key, value)`` is assumed to set others."""
        stores = super()._stores_of(attr, info)
        named = [store for store in stores if store.attr != ANY]
        self.leaves_out = self.leaves_out or len(named) < len(stores)
        return named

    def _settle(self, base: State, instance: Obj, method: Scope, attributes: list[str]) -> None:
        """Give the instance the values that a method alone has set: the tensors on the CPU or on a device as well."""
        super()._settle(base, instance, method, attributes)
        for attr in attributes:
            value = self.state.fields.get((instance, attr))
            if value is not None and self._is_located(value):
                base.fields[instance, attr] = value

    # --- callables that are not seen ------------------------------------------------------------------

    def arguments(self, node: ast.Call) -> Arguments:
        """The arguments of a call, kept for its result."""
        found = self._given[node] = super().arguments(node)
        return found

    def opaque_argument(self, item: Obj, pure: bool, node: ast.expr) -> None:
        """An argument of code that is not seen: a module that the file makes is assumed to stay where it is."""
        root = item.root() if item.kind == "module" else None
        stays = root is not None and root not in self.state.place and not root.outside
        super().opaque_argument(item, pure, node)
        if stays and root is not None:
            self.state.place.pop(root, None)

    def opaque(self, node: ast.Call, name: str, *, receiver: Obj | None = None, args: Arguments | None = None) -> Obj:
        """A call of code that is not seen: that of a value with tensors is taken for that of a module."""
        callee = self._callee(node, receiver) if args is None and not self.abroad else None
        if callee is not None:
            args = self.arguments(node)
            if any(self._is_located(value) for _, _, value in args):
                return self.forward(self._module(callee, node), node)
        return super().opaque(node, name, receiver=receiver, args=args)

    def called_unknown(self, callee: Obj, name: str, node: ast.Call, receiver: Obj | None = None) -> Obj:
        """The result of calling a value of unknown kind: `opaque` decides whether it is a module."""
        return self.opaque(node, name, receiver=receiver)

    def _callee(self, node: ast.Call, receiver: Obj | None) -> Obj | None:
        """The called value, if it may be a module: a name that holds an unknown value, or an attribute of an object."""
        func = node.func
        if isinstance(func, ast.Attribute) and func.attr == "forward":
            func = func.value  # the same module
            receiver = self.self_object()
        if isinstance(func, ast.Name):
            name, callee = func.id, self.lookup(func.id)
        elif isinstance(func, ast.Attribute) and receiver is not None:
            name, callee = func.attr, self.state.fields.get((receiver, func.attr))
            if callee is None and receiver.is_instance and (mentions_modules(name) or names_criterion(name)):
                callee = self.state.fields[receiver, name] = Obj("unknown", func, name=name)
        else:
            return None
        if callee is None or not callee.is_unknown or callee.members or callee.given:
            return None
        shown = callee in self.state.place or mentions_modules(name) or names_criterion(name)
        return callee if shown and not names_class(name) else None

    def _module(self, callee: Obj, node: ast.Call) -> Obj:
        """The module that a called value is taken for."""
        text = self.source.code(node.func)
        module = Obj("module", callee.origin, name=callee.name, loss=names_criterion(text.rpartition(".")[2]))
        module.param, module.outside = callee.param, True
        module.premises = (premises.RETURNS_ON_DEVICE(module=text),)
        place = self.state.place.get(callee)
        self.outsiders[module] = []
        if place is not None:
            self.state.place[module] = place
        self.known_as(callee, module)
        return module

    def method(self, receiver: Obj, attr: str, node: ast.Call) -> Obj:
        """receiver.attr(…): one of a module whose code is not seen returns tensors on the device of its arguments, for readers of the host."""
        result = super().method(receiver, attr, node)
        if not result.is_unknown or self.abroad or not _may_compute(receiver, attr, node):
            return result
        given = [part for _, expr, value in self._given.get(node, ()) for part, _, _ in self.parts(value, expr)]
        placed = next((part for part in given if self.on_device(part)), None)
        if placed is None:
            return result
        assumed = premises.METHOD_RETURNS_ON_DEVICE(method=self.source.code(node.func))
        rests = unite(assumed, *(part.premises for part in given if part.is_tensor_like))
        return Obj("tensor", node, place=placed.place, premises=rests, maybe=True)

    def forward(self, module: Obj, node: ast.Call, args: Arguments | None = None) -> Obj:
        """A call of a module; if its place is not known, its output is where its inputs are."""
        root = module.uncompiled().root()
        self._take_for_outsider(root)
        if root.cls is not None and self.place_of(root).is_host:
            args = self._with_moved(self.arguments(node) if args is None else args)
        output = super().forward(module, node, args)
        self._of_modules.add(output)
        if output.kind != "tensor" or (output.place != UNKNOWN_PLACE and module.root() not in self.outsiders):
            return output
        if module.root().cls is not None:
            return output  # its code is seen: it may move itself and its inputs
        self._lay_output(output, module, node)
        return output

    def _lay_output(self, output: Obj, module: Obj, node: ast.Call) -> None:
        """Put the output of a module that is not seen where its inputs are."""
        given = [part for _, expr, value in self._given[node] for part in self.parts(value, expr)]
        inputs = [item for item, _, _ in given if self._is_located(item)]
        if not inputs:
            return
        if output.place == UNKNOWN_PLACE:
            output.place = next((item.place for item in inputs if self.on_device(item)), HOST)
        assumed = premises.RETURNS_ON_DEVICE(module=self.source.code(node.func))
        output.premises = unite(assumed, *(item.premises for item in inputs))
        if output.place is not HOST:
            return
        output.roots = frozenset(root for item in inputs for root in (item, *item.roots) if _may_move(root))
        for item, expr, own in given:
            read = [root for root in (item, *item.roots) if root is item or not root.is_element] if own else []
            self._read.update((root, (module, node, expr)) for root in read if root in output.roots)

    def _place_by_use(self, root: Obj, node: ast.Call, args: Arguments) -> Place:
        """The place of a module that nothing in the file makes: also where another call of the function has a tensor on a device, for parts of one
        batch, or where another function calls it in the same words with one. A module that functions get is the same one where both move a
        part of their batches to that device."""
        place = super()._place_by_use(root, node, args)
        scope = self.scopes_active[-1]
        given = next(
            (part for _, expr, value in args for part, _, _ in self.parts(value, expr) if self.on_device(part)), None
        )
        if given is not None and given.place is not None:
            self._entered.setdefault((root, scope), given.place)
        if place != UNKNOWN_PLACE or not args:
            return place
        value, words = args[0][2], call_words(node, scope)
        entered = self._entered.get((root, scope))
        if given is None and entered is not None and self._is_parted_to(entered, value):
            return entered
        twin = self._fed.get(words)
        if twin is None or twin.function is scope or twin.place.device is None:
            return place
        return twin.place if self._is_parted_to(twin.place, value) or words.owner is not None else place

    def _is_parted_to(self, place: Place, value: Obj) -> bool:
        """Whether a value is a part of a batch of which another part has been moved to a device."""
        source = source_of(value)
        return source is not value and place.device is not None and self._parted.get(source) == place.device.text

    def _with_moved(self, args: Arguments) -> Arguments:
        """The arguments of a module, in which values of unknown kind that the code moves to a device are tensors there."""
        found: Arguments = []
        for keyword, expr, value in args:
            place = self.state.place.get(value) if value.is_unknown and not value.members and not value.given else None
            moved = value
            if place is not None and place.is_off_cpu and not mentions_modules(dotted(expr)):
                moved = Obj("tensor", value.origin, place=place, name="moved", premises=(premises.ELEMENT_IS_TENSOR,))
            found.append((keyword, expr, moved))
        return found

    def _take_for_outsider(self, root: Obj) -> None:
        """A module that nothing is known of but its place, ``net.to(device)``, is one like those that are called alone."""
        if root.kind == "module" and root.cls is None and root not in self.outsiders and not self.abroad:
            if not self.stays_where_made(root):
                self.outsiders[root] = []
                self._unseen.add(root)

    def _is_parted(self, value: Obj) -> bool:
        """Whether another part of the batch that a value is a part of has been moved to a device."""
        return source_of(value) in self._parted

    def _is_located(self, value: Obj) -> bool:
        """Whether a value is a tensor, or one of a batch, on the CPU or on a device."""
        place = value.place if value.is_tensor_like else None
        return place is not None and (place.is_host or place.is_off_cpu)

    def tensor_op(self, node: ast.expr, operands: tuple[Obj, ...], *args: Any, **options: Any) -> Obj:
        """An operation, whose result has the premises of all of its operands."""
        result = super().tensor_op(node, operands, *args, **options)
        if isinstance(node, ast.Call) and len(operands) == 1:
            self._tensors.add(operands[0])  # torch.exp(x), x.view(-1)
        result.premises = unite(*(operand.premises for operand in operands if operand.is_tensor_like))
        return self._follow(operands, result)

    # --- conflicts --------------------------------------------------------------------------------------

    def event(self, kind: EventKind, node: ast.expr, obj: Obj, **extra: Any) -> Event:
        """Record an event, unless it is a conflict that only an assumption makes one. A conflict of the output of a module for elements
        without a name, or for tensors that the file makes, is one of the module's inputs: there they can be moved."""
        is_returned = returns_on_device(obj) or is_of_method(obj)
        if kind == "host" and is_returned and not self.abroad and not self.state.spared:
            self.reads.append(Event(kind, node, obj, tuple(self.stack), -1, **extra))
        if kind == "place" and (place := extra.get("place")) is not None and place.is_off_cpu:
            self._part(node, obj, place)
        if kind != "conflict":
            return super().event(kind, node, obj, **extra)
        if any(map(is_of_method, (obj, *extra["args"]))):
            return Event(kind, node, obj, tuple(self.stack), -1, **extra)
        if not self._is_evidence(node, obj, extra["what"], extra["args"]):
            return Event(kind, node, obj, tuple(self.stack), -1, **extra)
        unnamed = [root for root in obj.roots if root in self._read and (root not in self.binds or not root.is_element)]
        if not unnamed or not returns_on_device(obj):
            return super().event(kind, node, obj, **extra)
        for root in unnamed:
            module, call, expr = self._read[root]
            reads = {**extra, "what": "input", "arg_node": expr, "args": (module,)}
            event = super().event(kind, call, root, **reads)
        return event

    def _part(self, node: ast.expr, obj: Obj, place: Place) -> None:
        """Record the batches of which a part is moved to a device."""
        is_read = place.device is not None and not is_discarded(node, self.stack[-1].stmt)
        device = place.device.text if place.device is not None and is_read else None
        self._parted.update((source_of(part), device) for part in (obj, *obj.roots) if part.is_element)

    def _is_evidence(self, node: ast.expr, obj: Obj, what: str, others: tuple[Obj, ...]) -> bool:
        """Whether a conflict with other values shows that a tensor was to be moved."""
        met = (obj, *others)
        through = what == "input" or any(map(returns_on_device, met))
        computed = through or not self._of_modules.isdisjoint(met)
        if not all(self._is_allowed(origin, through=through, computed=computed) for origin in (obj, *obj.roots)):
            return False
        if self._scatters and (what == "input" or returns_on_device(obj)):
            return False
        if what != "input" and self._is_made(obj) and not self._is_compared(node, obj, others):
            return False
        if what != "input" or others[0].root() not in self.outsiders or not isinstance(node, ast.Call):
            return True
        return self._shows_input(node, obj, others[0].root())

    def _is_allowed(self, origin: Obj, *, through: bool, computed: bool) -> bool:
        """Whether the assumption about a value, if there is one, holds for a conflict. through: it is one with the input or the result of a
        module; computed: or with a value computed from such a result."""
        batch = batch_of(origin)
        assumed = self._because.get(batch)
        if assumed is None:
            return True
        # an argument beside a moved one may come from elsewhere; two parts of one thing do not
        if assumed.through and not (through if origin is batch else computed):
            return False
        if assumed.function not in (None, self.stack[-1].stmt.scope):
            return False
        # not all of it, with parts that are moved in place, or by the code that receives it; its items one by one are parts
        is_unpacked = batch.value in ("mapping", "sequence")
        return (
            origin is not batch or is_unpacked or (assumed.function is not None and isinstance(batch.origin, ast.arg))
        )

    def _is_made(self, obj: Obj) -> bool:
        """Whether a tensor comes from creations of the file alone, and not from a value that arrives."""
        parts = (obj, *obj.roots)
        return any(torch_model.is_factory(part.name) for part in parts) and not any(part.is_element for part in parts)

    def _is_compared(self, node: ast.expr, obj: Obj, others: tuple[Obj, ...]) -> bool:
        """Whether an operation shows that a tensor which the file makes belongs elsewhere, where the run without assumptions shows nothing: it meets
        something that rests on one, and is one of the first two tensors of a criterion whose result is used."""
        if not any(value.premises for value in (obj, *others)):
            return False
        given = self._given.get(node) if isinstance(node, ast.Call) else None
        if given is None:
            return True
        compared = [value for _, _, value in given if value.is_tensor_like][:2]
        statement = self.stack[-1].stmt.node
        return obj in compared and not (isinstance(statement, ast.Expr) and statement.value is node)

    def _shows_input(self, node: ast.Call, obj: Obj, root: Obj) -> bool:
        """Whether a tensor on the CPU is to be moved as an input of a module that is not seen: a part of a batch of which another part is
        moved; else one that arrives, where all inputs of the module do. A creation of the file may be meant for the CPU: the object that is
        called may use nothing of its device with it."""
        parts = (obj, *obj.roots)
        parted = any(map(self._is_parted, parts))
        made = any(torch_model.is_factory(part.name) for part in parts)
        values = [value for _, _, value in self._given[node]]
        beside = any(map(self.on_device, values))
        typed = beside and obj in self._annotated
        if not parted and not typed and (made or root in self._unseen):
            return False
        if values[0] is obj or not beside:
            return True
        if typed:
            return not names_lengths(obj.param)
        name = self.binds[obj][0] if obj in self.binds else ""
        return parted and bool(name) and not names_host_value(name)


def _may_compute(receiver: Obj, attr: str, node: ast.Call) -> bool:
    """Whether a method may be one of a module that computes with tensors, by the name of the object: ``model.predict(x)``."""
    func = node.func
    named = isinstance(func, ast.Attribute) and names_called_module(last(dotted(func.value)))
    if not named or attr in api.MODULE_NEUTRAL or attr in api.MODULE_PARAMS or attr in api.PLACING:
        return False
    info = receiver.root().cls if receiver.is_module else receiver.cls
    if info is not None and attr in info.methods and goes_to_host(info.methods[attr].node):
        return False
    return receiver.is_module or (receiver.kind in ("unknown", "part") and not torch_model.is_tensor_method(attr))


def _may_move(value: Obj) -> bool:
    """Whether a repair may move a value: a part of a batch, or a tensor that the file makes."""
    return value.is_element or torch_model.is_factory(value.name)
