"""A function run alone with the must-share domain, and the calls in that domain."""

from __future__ import annotations

import ast
from functools import cached_property
from typing import TYPE_CHECKING

from placefix import torch_model
from placefix.facts import torch_api as api
from placefix.facts.interpret.class_summaries import class_info, made_attributes, moves_in
from placefix.facts.interpret.constraint_distributions import ConstraintDistributions
from placefix.facts.interpret.constraint_operators import (
    learn_parameters,
    may_be_lengths,
    with_device_of,
    wraps_array,
)
from placefix.facts.interpret.constraint_transfers import TRANSFERS
from placefix.facts.interpret.device_facts import Closure, Creation, DeviceFacts, Handed, Output, Owner, sources_of
from placefix.facts.interpret.logged_dict import LoggedDict
from placefix.facts.interpret.must_share import facts_at
from placefix.facts.interpret.state import State
from placefix.facts.interpret.values import Obj
from placefix.facts.program.ast_names import may_give, plain_parameters
from placefix.facts.program.callees import class_of
from placefix.facts.program.factory_dimensions import made_dimensions
from placefix.facts.program.placing_calls import receivers
from placefix.facts.program.statement_forms import yields
from placefix.torch_model import modules

if TYPE_CHECKING:
    from collections.abc import Iterable

    from placefix.facts.interpret.device_facts import Fact
    from placefix.facts.interpret.interpreter_base import Arguments
    from placefix.facts.interpret.values import ClassInfo
    from placefix.facts.program.tree import Scope
    from placefix.torch_model.rows import Operator

    Values = list[tuple[str | None, Obj]]  # of arguments, by keyword ("*", "**": several); None: by position

# Methods of modules that set no attribute to another tensor, but for the one that they register.
_KEEPS_TENSORS = api.MODULE_NEUTRAL | api.MODULE_PARAMS
_LISTS = frozenset(("list", "tuple", "reversed", "sorted", "iter"))
_ANSWERS = frozenset(("len", "range", "int", "float", "str", "isinstance", "hasattr", "print", "type", "bool"))


class ConstraintRun(ConstraintDistributions):
    """The run of one function, with unknown arguments.

    owner: for a method, the summary of its class. tensors: parameters that are tensors in every call that runs to its end.
    proven: the parameters that are, by the facts of this run.
    """

    def __init__(
        self,
        scope: Scope,
        infos: dict[Scope, ClassInfo],
        owner: Owner | None = None,
        tensors: frozenset[str] = frozenset(),
    ) -> None:
        super().__init__(scope, infos, owner, tensors)
        self.scope = scope
        self._run()

    def _run(self) -> None:
        scope = self.scope
        self.state = State(
            {0: LoggedDict()}, LoggedDict(), {}, domain=DeviceFacts(set(), {}, self.said, self.unseen_results)
        )
        if scope.is_root:
            self.run_root()
            self.ends = [self.state]
        else:
            self._run_function(scope)
        ends = [(end, facts_at(end)) for end in self.ends]
        for _, facts in ends:
            for creation, beside in facts.through.items():
                creation.exits.append((facts.known, beside))
        self.proven = frozenset(
            name
            for name, value in self.arguments_of.items()
            if ends and all(("tensor", value) in f.known for _, f in ends)
        )

    def _run_function(self, scope: Scope) -> None:
        around: Scope | None = scope.parent
        while around is not None:  # their names are read here, with unknown values
            self.envs[around] = 0
            around = around.parent
        self.scopes_active.append(self.tree.root)
        cls = scope.cls
        if cls is not None:
            known = self.owner is not None
            self.instance = self.new_instance(cls, cls.node) if known else Obj("instance", cls.node)
        self.call_scope(scope, self.instance)

    @cached_property
    def everything(self) -> Closure:
        """All facts of the run, with the possible constraints of layers: a consequence that does not follow from these follows on no path."""
        facts: set[Fact] = set().union(*self.said)
        return Closure(facts, maybe=True, assumed=self.assumed, returns=True)

    @property
    def assumed(self) -> list[Obj]:
        """The parameters that may be tensors: not those of a class of the repository, by their annotations, nor those with a plain default."""
        names = self.scope.function.args if self.scope.is_function else None
        given = (*names.posonlyargs, *names.args, *names.kwonlyargs) if names is not None else ()
        other = {a.arg for a in given if a.annotation is not None and class_of(self.scope, a.annotation) is not None}
        other |= plain_parameters(names) if names is not None else set()
        found = self.arguments_of.items()
        return [value for name, value in found if self.role(value) == "value" and name not in other]

    def always_share(self, one: ast.expr, other: ast.expr) -> bool:
        """Whether a tensor of the function was on the CPU only if another one was, in every call that ran to its end. Both are
        chains of methods of tensors."""
        first, second = self._now.get(one), self._now.get(other)
        if first is None or second is None or not self.ends:
            return False
        chains = filter(None, (self._now.get(part) for node in (one, other) for part in receivers(node)))
        assumed = [value for value in chains if self.role(value) == "value"]
        ways = [Closure(facts_at(end).known, assumed=assumed) for end in self.ends]
        return all(second in way.reached(first)[0] for way in ways)

    def attribute_at(self, end: State, attr: str) -> Obj | None:
        """The value that the function gives an attribute of ``self``, in one of the states in which it ends."""
        assert self.instance is not None
        value = end.fields.get((self.instance, attr))
        return value if value is not self.attributes.get(attr) else None

    def is_kept(self, attr: str) -> bool:
        """Whether an attribute of ``self`` is a parameter, a buffer, or a tensor that ``__init__`` makes."""
        return self.owner is not None and (attr in self.owner.parameters or attr in self.owner.plain)

    def is_optional(self, attr: str) -> bool:
        """Whether an attribute of ``self`` is a layer that the constructor makes under a test: other code may not find it."""
        return self.owner is not None and attr in self.owner.info.optional_layers

    def release(self) -> None:
        """Break the reference cycles; the run is good for nothing afterwards."""
        for value in (*self._now.values(), *(creation.value for creation in self.creations)):
            value.roots = frozenset()  # a tensor may be among its roots
        for creation in self.creations:
            creation.release()
        self.__dict__.clear()

    # --- calls -----------------------------------------------------------------------------------
    def _of_call(self, node: ast.Call, value: Obj) -> Obj:
        if node in self.followed:
            self.followed.discard(node)
            if len(value.creations) == 1 and self.role(value) == "value":
                (creation,) = value.creations
                creation.handed.append(Handed(node, self.stack[-1].stmt, creation.value, self.names()))
            return value
        values = [("*" if isinstance(a, ast.Starred) else None, self.last_value(a)) for a in node.args]
        values += [(k.arg or "**", self.last_value(k.value)) for k in node.keywords]
        func = node.func
        result = value if value.origin is node and value.kind in ("unknown", "tensor") else Obj("unknown", node)
        if isinstance(func, ast.Attribute):
            receiver = self.last_value(func.value)
            if receiver.is_import:
                return self._function_of(api.canonical(f"{receiver.name}.{func.attr}"), node, values, result)
            return self._method_of(receiver, func.attr, node, values, result)
        callee = self.last_value(func)
        if not callee.is_import:
            return self._of_value(callee, values, result)
        if "." in callee.name:
            return self._function_of(callee.name, node, values, result)
        first = values[0][1] if values else None
        if callee.name in ("enumerate", "zip"):
            return value
        if callee.name in _LISTS and first is not None:
            return first
        return self.number(result) if callee.name in _ANSWERS else self.computed_of(result, [v for _, v in values])

    def _of_value(self, callee: Obj, values: Values, result: Obj) -> Obj:
        """A call of a value: of a layer, perhaps."""
        if not self.is_layer_item(callee):
            self._forget()
        return self._layer(callee, values, result) if self.layers.get(callee) else self._unknown(callee, values, result)

    def _unknown(self, callee: Obj, values: Values, result: Obj) -> Obj:
        """A call of code that is not followed."""
        given = [v for v in self.flat(v for _, v in values) if self.role(v) != "number"]
        if modules.role_of(self.layers.get(callee, "")) == "probably":
            self.facts.add(("returns", result, callee), *(("maybe", v, callee) for v in given))
        elif self.layers.get(callee) == "":
            self.facts.add(("carrier", callee), ("returns", result, callee))
        elif callee not in self.layers and self._is_part(callee):
            met = [v for v in given[:2] if not any(map(may_be_lengths, v.creations))]
            self.facts.add(("carrier", callee), ("maybe", result, callee), *(("maybe", v, callee) for v in met))
            self.facts.add(("returns", result, callee))
        elif callee not in self.layers and given:
            self._given_together(callee, callee.attr, given)
            self.facts.add(("returns", result, given[0]))
            self.unseen_results[result] = Output(given[0], result.origin)
        if ("returns", result, callee) in self.facts.known:
            self.unseen_results[result] = Output(given[0] if given else None, result.origin)
        result.is_given = bool(given) and all(sources_of([v]) for v in given)
        self.results.add(result)
        return result

    def _is_part(self, callee: Obj) -> bool:
        """Whether a value is an attribute that the constructor makes, and that is called: a module, most likely, or a criterion."""
        if not callee.is_part or callee.base is not self.instance or self.owner is None:
            return False
        return callee.attr in made_attributes(self.owner.info)

    def _forget(self) -> None:
        """A call of code that is not known: attributes may have changed."""
        owner = self.owner
        kept = {self.instance} if owner is not None else set()
        info = owner.info if owner is not None else None
        lasting = {*info.layers, *info.optional_layers, *info.dict_layers} if info is not None else set()
        lasting |= owner.parameters if owner is not None else set()
        self.attributes = {attr: value for attr, value in self.attributes.items() if attr in lasting}
        for base, attr in list(self.state.fields):
            if base not in kept or attr not in lasting:
                del self.state.fields[base, attr]

    def _function_of(self, name: str, node: ast.Call, values: Values, result: Obj) -> Obj:
        """A call of a function or class known by its qualified name."""
        first = values[0][1] if values else None
        if (written := self._written(name, values, result)) is not None:
            return written
        if torch_model.is_factory(name):
            return self._factory(name, node, values, result)
        if not name.startswith("torch."):
            return self.of_library(name, node, first, result)
        if name == api.VARIABLE and first is not None:
            return self.tensor(first)
        if any(k in ("device", "out", "**") for k, _ in values):
            return self.tensor(result)
        if name.endswith(("pack_padded_sequence", "pad_packed_sequence")) and first is not None:
            return self._packed(name, first, result)
        if name.startswith("torch.nn.init.") and first is not None:
            return first
        if torch_model.is_function(name):
            return self._operator(torch_model.function(name), values, result)
        return self.distribution(name, values, result) or self.computed_of(result, [v for _, v in values])

    def _keeps_device(self, name: str, first: Obj, values: Values) -> bool:
        """Whether a call gives a tensor on the device of its argument: ``as_tensor(x)``, but not ``as_tensor(x, device=d)``."""
        if not torch_model.leaves_tensors(name) or self.role(first) in ("tuple", "number"):
            return False
        return all(keyword not in ("device", "*", "**") for keyword, _ in values)

    def _factory(self, name: str, node: ast.Call, values: Values, result: Obj) -> Obj:
        """A call of a factory of torch, which may be given a tensor."""
        first = values[0][1] if values else None
        if first is not None and self._keeps_device(name, first, values):
            return self.image(first, result) if self.is_tensor(first) else self.tensor(result)
        if name == "torch.tensor" and first is not None and self.is_tensor(first):
            return self.image(first, result, dims=True)  # a copy on the same device
        if name == "torch.normal" and not may_give(node, "size", position=2):
            return self.tensor(self.operation([v for _, v in values], result))
        self.tensor(result)
        if (mate := with_device_of(values, "device")) is not None:
            return self.beside(mate, result)
        if {k for k, _ in values} & {"device", "out", "**", "pin_memory"} or self.ambient_device():
            return result
        self._created(node, result)
        of_array = first is not None and not torch_model.fills(name) and self.has_dims(first)
        count = made_dimensions(name, node) or int(of_array)
        for creation in result.creations:
            creation.made = name
            creation.has_unseen_dimensions = not count and wraps_array(name, node, creation.scope)
        self.facts.add(*self.facts.of_dimensions(result, count))
        return result

    def _created(self, node: ast.Call, result: Obj) -> None:
        """A call makes a tensor on the CPU."""
        self.creations.append(self._creation(node, result))

    def _creation(self, node: ast.expr, value: Obj) -> Creation:
        """A new creation: the path passes it here."""
        stmt, names = self.stack[-1].stmt, self.names()
        creation = Creation(node, stmt, value, names, guarded=self._is_tried(), spared=self.state.spared)
        value.creations |= {creation}
        self.facts.pass_by(creation)
        return creation

    def _method_of(self, base: Obj, attr: str, node: ast.Call, values: Values, result: Obj) -> Obj:
        """``base.attr(…)``"""
        if (role := self.role(base)) == "self":
            return self._own_call(attr, node, values, result)
        if role == "bag" and attr in ("append", "insert") and values:
            self.facts.add(("member", base, values[-1][1]))
            return self.number(result)
        if base.kind == "distribution":
            return self.distribution_method(base, attr, values, result)
        if (item := self.item_attribute(base, attr)) is not None:
            return self._layer(self._own(item, node, None), values, result)
        if role == "layer":
            if attr in api.PLACING:
                self._forget()
            self._own_module(base, attr, values)
            return self._layer(base, values, result) if attr == "forward" else self._given(result)
        if role != "value":
            if role in ("tuple", "bag"):
                base.kind, base.items = "unknown", None  # a list may have changed
                self.bags.discard(base)
            return result
        self._given_together(base, attr, [v for _, v in values])
        if attr == "astype":
            if self.has_dims(base):
                self.facts.add(("dims", result))
            return result
        return self._tensor_method(base, attr, node, values, result)

    def _method_if_tensor(self, base: Obj, operator: Operator | None, values: Values, result: Obj) -> Obj:
        """A method of a value that may be a tensor, by the name of a method of tensors; operator: that, None if tensors have no such method."""
        self._forget()
        if operator is None or not operator.follows or self._shares_arguments(operator, values):
            return self.computed_of(result, [base])
        self.facts.add(("of", base, result))  # no other object has a method by this name that gives a tensor
        return self.image(base, result, dims=operator.rank in ("keeps", "input", "adds"))  # if it is a tensor

    def _tensor_method(self, base: Obj, attr: str, node: ast.Call, values: Values, result: Obj) -> Obj:
        """A method of a tensor, or of a value that may be one."""
        operator = torch_model.method(attr)
        only = operator is not None and "only" in operator.marks
        if operator is not None and only:
            self.tensor(base, dims="sized" in operator.marks or (attr == "size" and bool(values)))
        if torch_model.is_answer(attr) or (operator is not None and "host" in operator.marks):
            return self.number(result)
        if (moved := self._moved(base, attr, node, values, result)) is not None:
            return moved
        if operator is not None and operator.device == "input":
            return self.image(base, result, dims=True)
        if operator is None or not (only or self.is_tensor_here(base)):
            return self._method_if_tensor(base, operator, values, result)
        if not operator.follows:
            return self.computed_of(result, [base])
        if self._gives_several(operator, [v for _, v in values]):
            return self._several(base, result)
        self._with_arguments(base, operator, values, result)
        if only:
            self.tensor(result)
        return result if operator.gives_tensor else self.number(result)

    def _moved(self, base: Obj, attr: str, node: ast.Call, values: Values, result: Obj) -> Obj | None:
        """The result of a method that moves a tensor, or may; None for other methods."""
        if attr in ("to", "type"):
            self.facts.add(("like", result, base))
            if attr == "to" and (mate := with_device_of(values)) is not None:
                return self.tensor(self.beside(mate, result))
            return self.image(base, result, dims=True) if self._keeps_place(node) else self._given(result)
        if attr == "cpu":
            return self.tensor(result)
        given = {k for k, _ in values}
        if attr in api.PLACING or "device" in given or ({"*", "**"} & given and not _takes_only_sizes(attr)):
            return self.tensor(self._given(result))
        return self.tensor(self.image(values[0][1], result)) if attr == "type_as" and values else None

    def _own_call(self, attr: str, node: ast.Call, values: Values, result: Obj) -> Obj:
        """``self.attr(…)``: a layer; a method of the class is not followed here."""
        assert self.instance is not None
        if (
            (self.instance, attr) not in self.state.fields
            and self.owner is not None
            and attr in self.owner.info.methods
        ):
            self._forget()
            return result
        if attr in _KEEPS_TENSORS and (self.owner is not None or attr not in self._own_methods()):
            name = node.args[0].value if node.args and isinstance(node.args[0], ast.Constant) else None
            if isinstance(name, str):  # register_buffer(name, …)
                self.attributes.pop(name, None)
                if (self.instance, name) in self.state.fields:
                    del self.state.fields[self.instance, name]
            return result
        if (layer := self._own(attr, node, None)) not in self.layers:
            self._forget()
        return self._layer(layer, values, result)

    def _own_methods(self) -> Iterable[str]:
        """The names of the methods that the class of the run's function defines itself."""
        return self.scope.cls.functions if self.scope.cls is not None else ()

    def call_value(self, callee: Obj, node: ast.Call, args: Arguments) -> Obj | None:
        """``checkpoint(layer, x)`` is a call of the layer."""
        if callee not in self.layers:
            return super().call_value(callee, node, args)
        self.followed.add(node)
        return self._layer(callee, [(keyword, value) for keyword, _, value in args], Obj("unknown", node))

    def _layer(self, layer: Obj, values: Values, result: Obj) -> Obj:
        """A call of a module."""
        plain = [v for _, v in values]
        kind = self.layers.get(layer, "").rpartition(".")[2]
        if not kind:
            self._own_module(layer, "forward", values)
        if not plain or not kind or any(k in ("*", "**") for k, _ in values):
            return self._unknown(layer, values, result)
        first = plain[0]
        role = modules.role_of(kind)
        if role == "recurrent":
            return self._recurrent(layer, kind, plain, result)
        if role == "attention":
            for operand in self.flat(plain):
                self._with(layer, operand)
            self.facts.add(("dims", self._weight(layer, result)))
            return Obj("tuple", result.origin, items=(result, Obj("unknown", result.origin)))
        if role == "weighted":
            self.tensor(first, dims="Embedding" not in kind)
            self._with(layer, first)
            self.facts.add(("dims", self._weight(layer, result)))
            for other in plain[1:]:
                if kind == "EmbeddingBag":
                    self._with(layer, other)
                self.facts.add(("maybe", other, layer))
            return result
        if role == "loss":
            found = modules.layer(kind)
            return self._operator(found.operator if found is not None else None, values, result)
        if role == "plain":
            return self.image(self.tensor(first), result, dims=True)
        of_sequential = self._sequential(layer, first, result) if kind == "Sequential" else None
        return of_sequential or self._unknown(layer, values, result)

    def _own_module(self, layer: Obj, method: str, values: Values) -> None:
        """A call of a method of a module of a class of the file: the arguments that meet its layers whenever that runs are on its device."""
        cls = self.owner.parts.get(layer.attr) if self.owner is not None and layer in self.layers else None
        if cls is None or not any(value.creations for _, value in values):
            return
        met = meets_layers(class_info(cls, self.infos), method, self.infos)
        for number, (keyword, value) in enumerate(values):
            tensor = met.get(keyword or number)
            if tensor:
                self.facts.add(("meets", self.tensor(value), layer))
                self.held_by[layer] = tensor
            elif tensor is not None:
                self._with(layer, self.tensor(value))


def owner_of(scope: Scope, infos: dict[Scope, ClassInfo]) -> Owner | None:
    """The class of a method, with its layers alone; None for other functions and the module level."""
    cls = scope.cls if scope.is_function else None
    return Owner(class_info(cls, infos)) if cls is not None else None


def meets_layers(info: ClassInfo, method: str, infos: dict[Scope, ClassInfo]) -> dict[str | int, str]:
    """The arguments of a method of a class of modules that meet one of its layers on every path, by their positions and names: "". With the
    name of a parameter or buffer those that meet that one, where they have a dimension."""
    found = info.with_layers.get(method)
    if found is None:
        found = info.with_layers[method] = {}  # for a class that calls itself
        scope = info.methods.get(method)
        places = info.places_self or info.own_moves or len(info.indices) > 1 or not info.closed
        if scope is None or places or scope.tree is not info.scope.tree or moves_in(scope) or yields(scope):
            return found
        if not isinstance(scope.node, ast.FunctionDef) or scope.node.decorator_list:
            return found
        owner = Owner(info)
        learn_parameters(owner)
        run = ConstraintRun(scope, infos, owner)
        ways = [facts_at(end).known for end in run.ends]
        for number, (name, value) in enumerate(run.arguments_of.items()):
            tensor = _partner_in(value, ways, run) if number and ways else None
            if tensor is not None:
                found |= {name: tensor, number - 1: tensor}
        run.release()
    return found


def _partner_in(value: Obj, ways: list[set[Fact]], run: ConstraintRun) -> str | None:
    """The parameter or buffer of the module of a run without which a value can on no path be on the CPU if it has a dimension; "" where that
    holds for any value and a layer; None if there is none."""
    plain = map(Closure, ways)
    if all(any(value in way.reached(layer)[0] for layer in way.reached(value)[0] & run.layers.keys()) for way in plain):
        return ""
    sized = [Closure([*way, ("dims", value)]).reached(value)[0] for way in ways]
    own = run.attributes.items() if run.owner is not None else ()
    return next((a for a, held in own if run.is_kept(a) and all(held in together for together in sized)), None)


def _takes_only_sizes(method: str) -> bool:
    """Whether no argument of a method of tensors is a tensor or a device: ``x.expand(n, *shape)``."""
    operator = torch_model.method(method)
    return operator is not None and operator.device == "operands" and len(operator.operands) == 1


TRANSFERS[ast.Call] = ConstraintRun._of_call
