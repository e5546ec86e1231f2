"""The device-flow analysis: an abstract interpreter over the statement tree.

It runs the module as Python would, follows calls to functions, methods and classes of
the file, and records in order the events of modules, optimizers and tensors (`Event`)
and which objects each statement touches and how (`Flow.touches`: used by `rules.ordering.movability`
where a statement is to be moved). Functions that nothing in the file calls run once with unknown arguments.
"""

from __future__ import annotations

import ast
from bisect import bisect_left
from functools import cached_property
from typing import TYPE_CHECKING

from placefix import torch_model
from placefix.facts.interpret.attribute_writes import AttributeStores, set_elsewhere, stays, stores_in
from placefix.facts.interpret.calls import Calls
from placefix.facts.interpret.class_summaries import ClassSummaries
from placefix.facts.interpret.events import EventIndex
from placefix.facts.interpret.statements import execute
from placefix.facts.interpret.usage_evidence import evidence, placing
from placefix.facts.interpret.values import UNKNOWN_PLACE, Frame, Obj
from placefix.facts.naming import mentions_loader
from placefix.facts.program.ast_names import dotted

if TYPE_CHECKING:
    from placefix.facts.context import AnalysisContext
    from placefix.facts.interpret.attribute_writes import Store, Stores
    from placefix.facts.interpret.state import State
    from placefix.facts.interpret.values import ClassInfo
    from placefix.facts.program.tree import Scope, Tree
    from placefix.source import Source


class Interpreter(Calls):
    """Runs a file at construction, as far as anything in it may be placed; afterwards it only answers.

    always: run it even if nothing is placed. infos, stores: the summaries of classes and attributes that exist already,
    shared with other analyses.
    """

    def __init__(
        self,
        tree: Tree,
        source: Source,
        *,
        always: bool = False,
        infos: dict[Scope, ClassInfo] | None = None,
        stores: dict[Tree, Stores] | None = None,
    ) -> None:
        super().__init__(tree, source, infos)
        self._known_stores = {} if stores is None else stores
        self._placing = placing(source.text)
        if self._placing or always:
            self._run()

    def _run(self) -> None:
        _, self.evidence, self.evident = self.known[self.tree] = (self.imports, *evidence(self.source.text))
        self._run_module()
        self.module_state = self.state
        self._run_rest()

    @cached_property
    def index(self) -> EventIndex:
        """The recorded events, indexed by kind and object."""
        return EventIndex(self.events)

    def release(self) -> None:
        """Break the reference cycles of the events."""
        for event in self.events:
            event.place = None

    def _run_module(self) -> None:
        root = self.tree.root
        self.envs[root] = 0
        self.scopes_active.append(root)
        self.returns.append([])
        for name in sorted(self.tree.free_names.above) if self.tree.assume else ():
            self.state.put(0, name, self.by_role(root.node, name))  # on every path, whichever reads it first
        if root.body.stmts:
            self.stack.append(Frame(0, root.body.stmts[0]))
            execute(self, root.body)
        self.state.dead = ""
        self.returns.pop()

    def _run_rest(self) -> None:
        """Run the code that nothing called: classes through an artificial instance, then functions."""
        self.stack.clear()  # no statement of the module runs them
        for scope in list(self.tree.scopes.values()):
            if scope in self.ran:
                continue
            if scope.is_class:
                self._run_class(scope)
            elif scope.is_function and (scope.parent is None or not scope.parent.is_class) and self._relevant(scope):
                if scope.parent is not None and scope.parent.is_function and scope.parent not in self.ran:
                    continue
                self.state = self.module_state.copy()
                self.call_scope(scope)

    def _relevant(self, scope: Scope) -> bool:
        """Whether a scope of the file may place something: if nothing calls it, code that places
        nothing does not change the place of anything."""
        if scope.tree is not self.own:
            return False
        start, end = self.own.extent(scope)
        at = bisect_left(self._placing, start)
        return at < len(self._placing) and self._placing[at] < end

    def _run_class(self, scope: Scope) -> None:
        self.ran.add(scope)
        if not self._relevant(scope) and not self._inherits(scope):
            return
        info = self.class_info(scope)
        loads = mentions_loader(self.tree.text(scope)) and self._relevant(scope)
        missing = [
            s
            for s in info.methods.values()
            if s not in self.ran and ((loads and s.tree is self.own) or self._relevant(s))
        ]
        if not missing:
            return
        instance = self.instances.get(scope)
        if instance is None:
            self.state = self.module_state.copy()
            instance = self.new_instance(scope, scope.node)
            init = info.methods.get("__init__")
            if init is not None and (init.tree is self.own or self.may_follow(init)):
                self.call_scope(init, instance)
            self.inits[instance] = self.state.copy()
        base = self._settled(info, instance)
        for method in missing:
            if method not in self.ran:
                self.state = base.copy()
                self.call_scope(method, instance)

    def _inherits(self, scope: Scope) -> bool:
        """Whether a class may inherit methods from classes of the file. If not, a class whose text places nothing places nothing."""
        bases = scope.node.bases if isinstance(scope.node, ast.ClassDef) else []
        owners = (
            (base.id, scope.parent.lookup(base.id))
            for base in bases
            if isinstance(base, ast.Name) and scope.parent is not None
        )
        return any(owner is not None and name in owner.classes for name, owner in owners)

    def _settled(self, info: ClassInfo, instance: Obj) -> State:
        """The state in which a method runs if its callers are unknown: after the constructor, without the attributes
        that may have changed since."""
        state = self.inits.get(instance, self.module_state).copy()
        for slot, value in list(state.fields.items()):
            others = set_elsewhere(self._stores, slot[1], info.scope) if slot[0] is instance else []
            if all(store.value is not None and stays(store.value, store.text) for store in others):
                continue
            if instance.is_module and value.is_module:
                del state.fields[slot]  # some part of it: nn.Module lets nothing else take the place of a module
            elif value.kind == "tensor" and all(map(self._sets_tensor, others)):
                state.fields[slot] = Obj("tensor", value.origin, place=UNKNOWN_PLACE)
            else:
                state.fields[slot] = Obj("unknown", value.origin, name=slot[1])
        return state

    def _sets_tensor(self, store: Store) -> bool:
        """Whether an attribute is set to a new tensor, or to the result of methods on its value."""
        value = store.value
        name = self.tree.qualname(value.func, store.scope) if isinstance(value, ast.Call) else None
        while isinstance(value, ast.Call) and isinstance(value.func, ast.Attribute):
            value = value.func.value
        return torch_model.gives_tensor(name) or (value is not None and dotted(value) == store.text)

    @cached_property
    def _stores(self) -> Stores:
        """The attributes that the file sets."""
        return stores_in(self.own, self._known_stores)


class Flow(Interpreter):
    """The device flow of a context's file."""

    def __init__(self, context: AnalysisContext) -> None:
        super().__init__(
            context.tree,
            context.source,
            always=context.settings.add_placement,
            infos=context.get(ClassSummaries).known,
            stores=context.get(AttributeStores).known,
        )
