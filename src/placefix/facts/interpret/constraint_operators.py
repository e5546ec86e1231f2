"""Operators and recurrent layers of torch in the must-share domain."""

from __future__ import annotations

import ast
from collections import Counter
from typing import TYPE_CHECKING

from placefix import torch_model
from placefix.facts.interpret.class_summaries import self_writes
from placefix.facts.interpret.device_facts import relate
from placefix.facts.interpret.must_share import MustShare
from placefix.facts.interpret.values import Obj
from placefix.facts.naming import names_called_module, names_criterion, names_dtype
from placefix.facts.program.ast_names import dotted, makes_list
from placefix.facts.program.factory_dimensions import dimensions, has_dimension, made_dimensions
from placefix.torch_model import libraries

if TYPE_CHECKING:
    from placefix.facts.interpret.device_facts import Creation, Owner
    from placefix.facts.program.tree import Scope
    from placefix.torch_model.rows import Operator

    Values = list[tuple[str | None, Obj]]  # of arguments, by keyword ("*", "**": several); None: by position

REGISTERED = ("torch.nn.Parameter", "torch.nn.parameter.Parameter", "torch.nn.Buffer")


class ConstraintOperators(MustShare):
    """The calls of operators, as facts about their operands and results."""

    def is_tensor_here(self, value: Obj) -> bool:
        """Whether a value is a tensor on every path here, or on those that pass one of the creations that make it."""
        return self.is_tensor(value) or self.facts.makes_tensor(value)

    def of_library(self, name: str, node: ast.Call, first: Obj | None, result: Obj) -> Obj:
        """The result of a function of another library. first: its first argument."""
        if first is not None and libraries.result_of(name) == "input" and self.role(first) == "value":
            return self.image(first, result, dims=True)
        if first is not None and _gives_dimension(name, node, like=self.has_dims(first)):
            self.facts.add(("dims", result))
        return result

    def _packed(self, name: str, first: Obj, result: Obj) -> Obj:
        """A sequence that is packed, or unpacked; the lengths may be on another device."""
        if name.endswith("pack_padded_sequence"):
            self.image(self.tensor(first, dims=True), result)
            self.facts.add(("carrier", result))
            return result
        unpacked = self.tensor(self.image(first, result), dims=True)
        return Obj("tuple", result.origin, items=(unpacked, Obj("unknown", result.origin)))

    def _written(self, name: str, values: Values, result: Obj) -> Obj | None:
        """The result of a function of torch that writes it into ``out=``; None for other calls."""
        out = next((value for keyword, value in values if keyword == "out"), None)
        operator = torch_model.function(name) if out is not None else None
        if out is None or operator is None:
            return None
        shared = [value for value, _ in operator.shared(values)] if operator.follows else []
        return self.tensor(self.operation([out, *shared], result))

    def _operator(self, operator: Operator | None, values: Values, result: Obj) -> Obj:
        """A call of a function of torch that computes with tensors; None: one that the model has not."""
        if operator is None:
            return self.tensor(self.operation([v for _, v in values], result, dims=False))
        plain = [value for value, _ in operator.shared(values)]
        if operator.device == "cpu":
            return self.tensor(result, dims=True)
        if operator.device == "input" and values:
            return self.image(self.tensor(values[0][1]), result, dims=operator.rank in ("keeps", "input"))
        if not operator.follows or not plain:
            self.computed_of(result, [v for _, v in values])
        elif self._gives_several(operator, [v for _, v in values[1:]]):
            return self._several(self.tensor(plain[0]), result)
        else:
            self._combined(operator, plain, result)
            for part in self.flat(plain[:1]) if not operator.operands[0].number else ():  # all of torch.cat([x, y])
                self.tensor(part)
            self.tensor(result, dims=operator.rank == "adds")
        return result if operator.gives_tensor else self.number(result)

    def _combined(self, operator: Operator, operands: list[Obj], result: Obj) -> None:
        """An operator computes a result of tensors that it needs on one device."""
        if "sized" in operator.marks:
            self.multiplied(operands)
        self.operation(operands, result, dims=operator.rank == "keeps")
        if operator.rank == "input" and not result.is_number and self.role(operands[0]) == "value":
            self.facts.add(("like", result, operands[0]))
            self._inherit(result, operands[0], dims=True)

    def _gives_several(self, operator: Operator, others: list[Obj]) -> bool:
        """Whether a call with `others` beside the first operand gives several tensors: ``x.split(2)`` and ``x.max(1)`` do, ``x.max()`` and
        ``x.max(y)`` do not."""
        several = bool(others) and not any(self.is_tensor(other) or other.creations for other in others)
        return operator.gives_several and (several or "tensor" not in operator.returns)

    def _several(self, base: Obj, result: Obj) -> Obj:
        """Several tensors on the device of `base`."""
        self.image(base, result)
        self.facts.add(("carrier", result))
        return result

    def _shares_arguments(self, operator: Operator, values: Values) -> bool:
        """Whether other operands of a method may be tensors."""
        return (
            any(self.role(value) != "number" for value, _ in operator.shared(values, method=True))
            or not operator.gives_tensor
        )

    def _with_arguments(self, base: Obj, operator: Operator, values: Values, result: Obj) -> None:
        """The operation of a method on its tensor and the operands among its arguments."""
        others = [
            value
            for value, operand in operator.shared(values, method=True)
            if self.role(value) in ("value", "tuple")
            and (self.is_tensor(value) or not operator.may_be_dimension(operand))
        ]
        if others:
            self._combined(operator, [base, *others], result)
        else:
            self.multiplied([base] if "sized" in operator.marks else ())
            self.image(base, result, dims=operator.rank in ("keeps", "input", "adds"))
        first = values[0][1] if values else None
        sized = first is not None and not (self.role(first) == "tuple" and not first.items)
        if operator.rank == "adds" or (operator.rank == "sizes" and sized):
            self.facts.add(("dims", result))

    def _given_together(self, holder: Obj, attr: str, given: list[Obj]) -> None:
        """A module, by its name, that is kept in an attribute or is a part of one gets several values: on one device, most likely. A
        criterion may accept a target on the CPU."""
        if not names_called_module(attr) or names_criterion(attr) or outermost_holder(holder) is not self.instance:
            return
        made = [v for v in given if v.creations and all(map(_is_shaped, v.creations))]
        others = [v for v in given if not v.creations and self.role(v) == "value"]
        self.facts.add(*(("maybe", one, other) for one in made for other in others))

    def _with(self, layer: Obj, operand: Obj) -> None:
        if self.role(operand) in ("value", "bag"):
            self.facts.add(("implies", operand, layer), ("implies", layer, operand))

    def _keeps_place(self, node: ast.Call) -> bool:
        """Whether ``x.to(…)``, ``x.type(…)`` leaves a tensor on its device: its argument is a dtype of torch. ``x.type(dtype)`` may get the
        type of a tensor of CUDA."""
        given = [(None, a) for a in node.args] + [(k.arg or "*", k.value) for k in node.keywords]
        by_name = isinstance(node.func, ast.Attribute) and node.func.attr == "to"

        def is_dtype(part: ast.expr) -> bool:
            """Whether an argument is a dtype: ``torch.float``, ``x.dtype``, ``weight_dtype``."""
            value = self.last_value(part)
            known = value.kind == "dtype" or value.name.startswith("torch.")
            known = known or (isinstance(part, ast.Attribute) and part.attr == "dtype")
            return known or (by_name and names_dtype(dotted(part).rpartition(".")[2]))

        return bool(given) and all(k in ("dtype", "non_blocking", "copy") or (not k and is_dtype(e)) for k, e in given)

    def _sequential(self, layer: Obj, first: Obj, result: Obj) -> Obj | None:
        """A Sequential with its input; None where its elements are not known."""
        info = self.owner.info if self.owner is not None and layer.base is self.instance else None
        known = info.sequentials.get(layer.attr) if info is not None else None
        if known is None or not (known.takes or known.gives or known.is_plain):
            return None
        if known.is_plain:
            return self.image(self.tensor(first), result, dims=True)
        if known.takes:
            self._with(layer, self.tensor(first, dims=known.sized))
        else:
            self.facts.add(("maybe", first, layer))
        if known.gives:
            self.facts.add(("dims", self._weight(layer, result)))
        else:
            self.results.add(result)
        return result

    def _recurrent(self, layer: Obj, kind: str, plain: list[Obj], result: Obj) -> Obj:
        """A recurrent layer or cell with its input and, perhaps, the state it starts with."""
        self._with(layer, plain[0])
        state = self.flat(plain[1:2])
        relate(state)
        for number, operand in enumerate(state):
            for creation in operand.creations:
                creation.hidden = True
            self.facts.add(("maybe", operand, layer))
            if not (kind == "LSTMCell" and number):  # the cell's second state is not tested on every backend
                self._with(layer, operand)
        node = result.origin
        out, new, memory = (self.tensor(self._weight(layer, Obj("unknown", node)), dims=True) for _ in range(3))
        if kind.endswith("Cell"):
            return Obj("tuple", node, items=(out, new)) if kind == "LSTMCell" else out
        carried = self.image(plain[0], result, dims=True)  # a packed sequence comes out as one
        self.facts.add(("implies", layer, carried), ("implies", carried, layer))
        states = Obj("tuple", node, items=(new, memory))
        return Obj("tuple", node, items=(carried, states if kind == "LSTM" else new))


def outermost_holder(value: Obj) -> Obj:
    """``self`` of ``self.net.encoder``."""
    while value.is_part and value.base is not None:
        value = value.base
    return value


def _is_shaped(creation: Creation) -> bool:
    """Whether a tensor that is made has a dimension, and is no list of lengths or indices."""
    node = creation.node
    return isinstance(node, ast.Call) and has_dimension(creation.made, node) and not may_be_lengths(creation)


def may_be_lengths(creation: Creation) -> bool:
    """Whether a tensor that is made may have one dimension: lengths and indices do, and may lie on the CPU."""
    node = creation.node
    if not isinstance(node, ast.Call):
        return True
    shape = node.args[0] if len(node.args) == 1 else None
    bound = creation.names.get(shape.id) if isinstance(shape, ast.Name) else None  # ``shape = x.size()``
    shapes = [way.origin for way in bound.alts or (bound,)] if bound is not None else [shape]
    return not all(map(_is_shape, shapes)) and dimensions(creation.made, node) < 2


def _is_shape(node: ast.AST | None) -> bool:
    """Whether an expression is the shape of a tensor, or a part of one: ``x.shape``, ``x.size()[:-1]``."""
    if isinstance(node, ast.Subscript) and isinstance(node.slice, ast.Slice):
        node = node.value
    if isinstance(node, ast.Call):
        node = node.func if not node.args else None
    return isinstance(node, ast.Attribute) and node.attr in ("size", "shape")


def may_be_number(creation: Creation) -> bool:
    """Whether a tensor may be made of a number: ``torch.tensor(0.5)``, ``torch.tensor(eps)``."""
    node = creation.node
    copies = ("torch.tensor", "torch.as_tensor", "torch.asarray", "torch.scalar_tensor")
    return not isinstance(node, ast.Call) or (creation.made in copies and not has_dimension(creation.made, node))


def learn_parameters(owner: Owner) -> None:
    """Learn the parameters and buffers of a class of modules from its constructors and those of its bases."""
    writes = sum(map(self_writes, owner.info.order), Counter[str]())
    for init in (cls.functions["__init__"] for cls in owner.info.order if "__init__" in cls.functions):
        for stmt in init.body.stmts:
            if isinstance(stmt.node, (ast.Assign, ast.Expr)) and isinstance(stmt.node.value, ast.Call):
                _learn_parameter(owner, stmt.node, stmt.node.value, init, writes)


def _learn_parameter(
    owner: Owner, node: ast.Assign | ast.Expr, call: ast.Call, init: Scope, writes: Counter[str]
) -> None:
    """Learn the parameter or buffer that a statement of a constructor makes."""
    if isinstance(node, ast.Assign):
        attr = dotted(node.targets[0]).removeprefix("self.")
        registered, given = init.tree.qualname(call.func, init) in REGISTERED and writes[attr] == 1, call.args[:1]
    else:
        named = call.args[0] if call.args else None
        attr = str(named.value) if isinstance(named, ast.Constant) else ""
        registered = attr != "" and dotted(call.func) in ("self.register_buffer", "self.register_parameter")
        given = [_content(value) for value in call.args[1:2]]
    if registered:
        owner.parameters.add(attr)
        if given:
            owner.dimensions[attr] = dimensions_of(given[0], init)


def _content(value: ast.expr) -> ast.expr:
    """``torch.ones(3)`` of ``nn.Parameter(torch.ones(3))``."""
    is_parameter = isinstance(value, ast.Call) and dotted(value.func).endswith("Parameter") and value.args
    return value.args[0] if is_parameter else value  # type: ignore[attr-defined]


def dimensions_of(node: ast.expr | None, init: Scope) -> int:
    """The least number of dimensions of an expression: 0 if it is no call of a factory."""
    if not isinstance(node, ast.Call):
        return 0
    name = init.tree.qualname(node.func, init) or ""
    return made_dimensions(name, node) if torch_model.is_factory(name) else 0


def _gives_dimension(name: str, node: ast.Call, *, like: bool) -> bool:
    """Whether a function of a library gives an array with a dimension. like: whether its first argument has one."""
    made = libraries.result_of(name)
    return (
        made == "array"
        or (made == "like" and like)
        or (made == "host" and bool(node.args) and makes_list(node.args[0]))
    )


def wraps_array(name: str, node: ast.Call, scope: Scope) -> bool:
    """Whether a factory gives an array as a tensor. It has a dimension, most likely, unless numpy makes it of something that may be a number."""
    given = node.args[0] if node.args else None
    made = scope.tree.qualname(given.func, scope) if isinstance(given, ast.Call) else None
    return torch_model.wraps_array(name) and (made is None or libraries.result_of(made) != "host")


def with_device_of(values: Values, *keywords: str) -> Obj | None:
    """The tensor whose device is an argument: ``x.to(y.device)``. keywords: of such an argument, by default those of ``to``."""
    given = (value for keyword, value in values if keyword in (keywords or (None, "device")))
    return next((value.base for value in given if value.is_device and value.base is not None), None)
