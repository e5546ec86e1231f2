"""The methods of classes that nothing in the file calls: the state of the instance in which each is run.

A method runs after the constructor, and after the methods that alone set attributes the constructor leaves out. Where a method
of a base class calls it (a template method), it also runs in the state of that call.
"""

from __future__ import annotations

import ast
import re
from bisect import bisect_left
from functools import cached_property, partial, reduce
from typing import TYPE_CHECKING, NamedTuple

from placefix import torch_model
from placefix.facts.interpret.attribute_writes import stays, stores_of
from placefix.facts.interpret.outside_calls import OutsideCalls
from placefix.facts.interpret.state import join
from placefix.facts.interpret.usage_evidence import placing
from placefix.facts.interpret.values import UNKNOWN_PLACE, Obj, is_literal_none, moment
from placefix.facts.program.arguments import read_on_self, set_on_self
from placefix.facts.program.ast_names import chain_root, dotted, is_literal
from placefix.facts.program.class_hierarchy import CLASS_HEADER

if TYPE_CHECKING:
    from placefix.facts.interpret.attribute_writes import Store, Stores
    from placefix.facts.interpret.state import State
    from placefix.facts.interpret.values import ClassInfo
    from placefix.facts.program.tree import Scope, Tree
    from placefix.source import Source

# A move of an attribute: ``self.net.to(device)``, ``trainer.net.module.cpu()``.
_MOVE = re.compile(r"\.(\w+)(?:\.module)?\.(to|cuda|cpu)\(([^()]*(?:\([^()]*\)[^()]*)?)\)")


class _AttributeMove(NamedTuple):
    """A move of an attribute in the text of the file: the offset, the method and its arguments; `own`: of one of `self`."""

    offset: int
    method: str
    given: str
    own: bool


class ClassRuns(OutsideCalls):
    """Runs the methods of classes."""

    def __init__(
        self, tree: Tree, source: Source, infos: dict[Scope, ClassInfo] | None, stores: dict[Tree, Stores] | None
    ) -> None:
        super().__init__(tree, source, infos)
        self._known_stores = {} if stores is None else stores
        self._elsewhere: dict[
            tuple[Scope, str, str], list[int]
        ] = {}  # the moves of an attribute of a class to other devices than one, by offset
        self._placing: list[int] = []  # where the file may place something
        self.artificial: dict[Scope, Obj] = {}  # the instances of classes that nothing in the file makes

    def places(self, scope: Scope) -> bool:
        """Whether a scope of the file may place something: if nothing calls it, code that places nothing does not change the place of
        anything."""
        if scope.tree is not self.own:
            return False
        start, end = self.own.extent(scope)
        at = bisect_left(self._placing, start)
        return at < len(self._placing) and self._placing[at] < end

    def run_class(self, scope: Scope) -> None:
        """Run the methods of a class that nothing has called so far, if the class or a base may place something."""
        self.ran.add(scope)
        if not self.places(scope) and not self._inherits(scope):
            return
        info = self.class_info(scope)
        own = dict.fromkeys((*info.methods.values(), *info.setters.values()))
        built = self._built_otherwise(info)
        missing = [method for method in own if method.tree is self.own and (method not in self.ran or method in built)]
        if not missing:
            return
        instance = self.instances.get(scope) or self._made(info)
        base = self._settled(info, instance)
        for method in _templates(info):
            if method.tree is self.own or self.may_follow(method):
                self.state = base.copy()
                self.call_scope(method, instance)
        for method, attributes in self._setting(info, base, instance).items():
            self.state = base.copy()
            self.call_scope(method, instance)
            self._settle(base, instance, method, attributes)
        for method in missing:
            if method not in self.ran or method in built:
                called = self.callbacks.get((instance, method))
                self.state = reduce(partial(join, since=moment()), called) if called else base.copy()
                self.call_scope(method, instance)

    def _built_otherwise(self, info: ClassInfo) -> set[Scope]:
        """The methods that a class inherits and that find other attributes in it, because it overrides a method which the constructor of the base
        calls."""
        inherited = {method for method in info.methods.values() if method.parent is not info.scope}
        for base in _bases(info):
            instance = self.instances.get(base) or self.artificial.get(base)
            built = self.constructed.get(instance, set()) if instance is not None else set()
            if any(scope.name in info.scope.functions and scope.name != "__init__" for scope in built):
                return inherited - built
        return set()

    def _made(self, info: ClassInfo) -> Obj:
        """An instance whose constructor has run: as another file calls it, else with unknown arguments."""
        calls = self.calls_of(info.scope)
        call = calls[-1] if len({call.node for call in calls}) == 1 else None
        self.state = (self.module_state if call is None else call.state).copy()
        instance = self.artificial[info.scope] = self.new_instance(info.scope, info.scope.node)
        init = info.methods.get("__init__")
        if init is not None and (init.tree is self.own or self.may_follow(init)):
            with self.constructing_of(instance):
                self.call_scope(init, instance, *(() if call is None else (call.node, call.args)))
        self.inits[instance] = self.state.copy()
        return instance

    def _inherits(self, scope: Scope) -> bool:
        """Whether a class may inherit methods from classes of the repository that place something. If not, a class whose text places
        nothing places nothing."""
        return any(map(self._places_abroad, _bases(self.class_info(scope))))

    def _places_abroad(self, scope: Scope) -> bool:
        """`places` for a class of any file of the repository."""
        if scope.tree is self.own:
            return self.places(scope)
        start, end = scope.tree.extent(scope)
        return bool(placing(scope.tree.source.text[start:end]))

    # --- the state that a method finds ------------------------------------------------------------------------------------

    def _settled(self, info: ClassInfo, instance: Obj) -> State:
        """The state in which a method runs if its callers are unknown: after the constructor, without the attributes
        that may have changed since."""
        state = self.inits.get(instance, self.module_state).copy()
        built = self.constructed.get(instance, set())
        if self._overridden_elsewhere(info, {scope.name for scope in built}):
            self._forget_places(state, instance)
        for slot, value in list(state.fields.items()):
            if slot[0] is not instance:
                continue
            others = [s for s in self._stores_of(slot[1], info) if not self._only_constructs(s.scope, built, info)]
            if is_literal_none(value) and {s.scope for s in others} <= set(info.properties.values()):
                continue  # a property sets it when it is first read
            if all(store.value is not None and stays(store.value, store.text) for store in others):
                self._doubt_place(state, slot[1], value, built, info)
            elif instance.is_module and value.is_module:
                del state.fields[slot]  # some part of it: nn.Module lets nothing else take the place of a module
            elif value.kind == "tensor" and all(map(self._sets_tensor, others)):
                state.fields[slot] = Obj("tensor", value.origin, place=UNKNOWN_PLACE)
            else:
                state.fields[slot] = Obj("unknown", value.origin, name=slot[1])
        return state

    def _only_constructs(self, scope: Scope, built: set[Scope], info: ClassInfo) -> bool:
        """Whether a function runs in a constructor alone: as one, or called by it and named nowhere else in the file; a setter, where
        no other function sets the property.

        built: the functions that the constructor called.
        """
        if scope.name == "__init__":
            return scope in built
        if scope not in built or not scope.is_function:
            return False
        if scope in info.setters.values():
            return all(store.scope in built for store in self._stores_of(scope.name, info))
        uses = re.compile(rf"\.{scope.name}\b").findall
        own = re.compile(rf"\bself\.{scope.name}\b").findall  # the methods of other classes
        others = (c for c in self.own.scopes.values() if c.is_class and not self._is_related(c, info))
        found = len(uses(self.own.source.text)) - sum(len(own(self.own.text(c))) for c in others)
        return found == sum(len(uses(s.tree.text(s))) for s in built if s.tree is self.own)

    def _is_related(self, cls: Scope, info: ClassInfo) -> bool:
        """Whether one of two classes inherits methods from the other, or a class of the file from both."""
        if cls is info.scope or cls in _bases(info):
            return True
        return any(cls in family and info.scope in family for family in self._families)

    @cached_property
    def _families(self) -> list[set[Scope]]:
        """Each class of the file, with those that it inherits methods from."""
        classes = (scope for scope in self.own.scopes.values() if scope.is_class)
        return [{scope, *_bases(self.class_info(scope))} for scope in classes]

    def _overridden_elsewhere(self, info: ClassInfo, names: set[str]) -> bool:
        """Whether a class of another file derives from this one and overrides methods of these names, without a call of the overridden one: an
        instance of it is built in another way."""
        home = self.own.home
        own = names & info.methods.keys() - {"__init__"}
        if home is None or not own:
            return False
        if not info.scope.name.isascii():
            return True  # the search is over bytes: nothing is known
        derives = home.holding(rf"\([^)]*\b{info.scope.name}\b", within=CLASS_HEADER)
        texts = [home.project.files.read(file) or b"" for file in derives if file != home.path]
        return any(_overrides(name.encode(), text) for text in texts for name in own)

    def _forget_places(self, state: State, instance: Obj) -> None:
        """Forget where the modules of an instance are."""
        for slot, value in state.fields.items():
            if slot[0] is instance and value.is_module:
                state.place[value.root()] = UNKNOWN_PLACE

    def _doubt_place(self, state: State, attr: str, value: Obj, built: set[Scope], info: ClassInfo) -> None:
        """Forget where a module is that a method of the file moves to another device than the constructor."""
        value = value.uncompiled()
        place = self.place_of(value) if value.kind == "module" else None
        if (
            place is not None
            and place.is_device
            and self._moves_elsewhere(info, attr, place.device.text if place.device else "", built)
        ):
            state.place[value] = UNKNOWN_PLACE

    def _moves_elsewhere(self, info: ClassInfo, attr: str, device: str, setting: set[Scope]) -> bool:
        """Whether the file moves an attribute of a class to another device than `device`, outside the functions that set it."""
        key = info.scope, attr, device
        elsewhere = self._elsewhere.get(key)
        if elsewhere is None:
            moves = [m for m in self._moves.get(attr, ()) if m.method == "cpu" or m.given != device]
            others = self._unrelated(info) if any(m.own for m in moves) else ()
            elsewhere = self._elsewhere[key] = [
                m.offset for m in moves if not (m.own and any(start <= m.offset < end for start, end in others))
            ]
        inside = [self.own.extent(s) for s in setting if s.tree is self.own] if elsewhere else ()
        return any(not any(start <= offset < end for start, end in inside) for offset in elsewhere)

    def _unrelated(self, info: ClassInfo) -> list[tuple[int, int]]:
        """The extents of the classes of the file of which `self` is no instance of a class, nor of one that it inherits from or that inherits from it."""
        classes = (scope for scope in self.own.scopes.values() if scope.is_class)
        return [self.own.extent(scope) for scope in classes if not self._is_related(scope, info)]

    @cached_property
    def _moves(self) -> dict[str, list[_AttributeMove]]:
        """The moves of attributes in the text of the file."""
        found: dict[str, list[_AttributeMove]] = {}
        for match in _MOVE.finditer(self.own.source.text):
            own = self.own.source.text.endswith("self", 0, match.start())
            found.setdefault(match[1], []).append(_AttributeMove(match.start(), match[2], match[3].strip(), own))
        return found

    def _sets_tensor(self, store: Store) -> bool:
        """Whether an attribute is set to a new tensor, or to the result of methods on its value."""
        value = store.value
        name = self.tree.qualname(value.func, store.scope) if isinstance(value, ast.Call) else None
        return torch_model.gives_tensor(name) or (value is not None and dotted(chain_root(value)) == store.text)

    def _stores_of(self, attr: str, info: ClassInfo) -> list[Store]:
        """Where the files of a class and its bases set an attribute of its instances."""
        trees = dict.fromkeys((self.own, *(method.tree for method in info.methods.values())))
        return [store for tree in trees for store in stores_of(self._known_stores, attr, info.scope, tree)]

    # --- attributes that the constructor does not set ----------------------------------------------------------------------

    def _setting(self, info: ClassInfo, base: State, instance: Obj) -> dict[Scope, list[str]]:
        """The methods that may place something and that alone set attributes which the constructor leaves out, or sets to None, with those."""
        found: dict[Scope, list[str]] = {}
        built = self.inits.get(instance, base)
        for method in info.methods.values():
            if method in info.properties.values():
                continue  # it runs where the attribute is read
            if method.tree is not self.own or not (self.places(method) or "torch." in self.own.text(method)):
                continue
            for attr in set_on_self(method):
                known = built.fields.get((instance, attr))
                if known is None or is_literal_none(known):
                    stores = self._stores_of(attr, info)
                    setting = {store.scope for store in stores if not is_literal(store.value, None)}
                    makes = self.places(method) or any(map(self._sets_tensor, stores))
                    if makes and setting == {method} and not self._overridden_elsewhere(info, {method.name}):
                        found.setdefault(method, []).append(attr)
        return found

    def _settle(self, base: State, instance: Obj, method: Scope, attributes: list[str]) -> None:
        """Give the instance the devices, the placed modules and the tensors that a method has set."""
        for attr in attributes:
            value = self.state.fields.get((instance, attr))
            if value is not None and value.is_unknown and (placed := self.state.place.get(value)) is not None:
                base.place[value] = placed  # it may turn out to be a tensor
            elif value is None or value.uncompiled().kind not in ("device", "module", "tensor"):
                continue
            if value.is_module:
                place = self.place_of(value)
                device = place.device.text if place.device is not None else ""
                if (
                    not place.is_device
                    or instance.cls is None
                    or self._moves_elsewhere(instance.cls, attr, device, {method})
                ):
                    continue
                base.place[value.root()] = place
            base.fields[instance, attr] = value


def _overrides(name: bytes, text: bytes) -> bool:
    """Whether a text defines a method and does not call that of the base class in each definition."""
    defined = text.count(b"def " + name + b"(")
    return defined > len(re.findall(rb"\bsuper\([^()\n]*\)\.%s\(" % name, text))


def _bases(info: ClassInfo) -> set[Scope]:
    """The classes of the repository that a class inherits methods from."""
    parents = {method.parent for method in info.methods.values()}
    return {parent for parent in parents if parent is not None and parent is not info.scope}


def _templates(info: ClassInfo) -> list[Scope]:
    """The inherited methods that call methods which the class defines, the constructor apart."""
    own = info.scope.functions
    inherited = [m for name, m in info.methods.items() if m.parent is not info.scope and name != "__init__"]
    return [m for m in inherited if any(call in own for call in read_on_self(m))]
