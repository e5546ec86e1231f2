"""Expressions in the abstract interpreter (calls apart)."""

from __future__ import annotations

import ast
import builtins
from typing import TYPE_CHECKING, Any

from placefix.facts import premises
from placefix.facts.interpret.assignment_targets import bind_overlay
from placefix.facts.interpret.attributes import ESCAPED, attribute
from placefix.facts.interpret.cuda_tests import cuda_test
from placefix.facts.interpret.data_loading import Data
from placefix.facts.interpret.interpreter_base import WORLD
from placefix.facts.interpret.library_calls import library_attribute, new_holder, new_tensor
from placefix.facts.interpret.moved_values import tensor_moved
from placefix.facts.interpret.parameter_reads import as_operand
from placefix.facts.interpret.state import merge
from placefix.facts.interpret.subscripts import subscript
from placefix.facts.interpret.tensors import Tensors
from placefix.facts.interpret.values import Obj, made_of
from placefix.facts.program.ast_names import defaults, parameters
from placefix.facts.program.ast_walk import children
from placefix.facts.program.device_values import Device
from placefix.facts.torch_api import is_image_classification_dataset
from placefix.torch_model import libraries

if TYPE_CHECKING:
    from collections.abc import Callable

    from placefix.facts.interpret.values import ObjKind
    from placefix.facts.program.tree import Scope

_BUILTINS = frozenset(dir(builtins))
_COMPREHENDED: dict[type[ast.AST], ObjKind] = {ast.ListComp: "list", ast.DictComp: "dict"}


class Expressions(Tensors, Data):
    """Evaluates expressions to abstract values.

    skips_arms: whether an arm is left out that no call runs, because a parameter is None. The main analysis runs it all the same: a second
    call may give a value, and each function is judged by what any call does.
    """

    skips_arms = False

    def eval(self, node: ast.expr) -> Obj:
        """The abstract value of an expression; records events and uses in it."""
        return EXPRESSIONS[node.__class__](self, node)

    def collected(self, expr: ast.expr) -> Obj:
        """Evaluate; a value of unknown kind that read modules' parameters becomes `params` over them."""
        kind = expr.__class__
        if kind is ast.Constant:
            return self.e_constant(expr)  # type: ignore[arg-type]
        if kind is ast.Name:
            return self.e_name(expr)  # type: ignore[arg-type]
        if kind is ast.Attribute and expr.value.__class__ is ast.Name:  # type: ignore[attr-defined]
            return self.e_attribute(expr)  # type: ignore[arg-type]
        self.collectors.append([])
        value = self.eval(expr)
        found = self.collectors.pop()
        if found:
            if self.collectors:
                self.collectors[-1].extend(found)
            if value.kind in ("unknown", "list", "tuple", "dict") and not value.members:
                if value.is_unknown:
                    return Obj("params", expr, members=tuple(dict.fromkeys(found)), name=value.name)
                value.members = tuple(dict.fromkeys(found))
        return value

    def e_other(self, node: ast.expr) -> Obj:
        """Any other expression: evaluate its parts; the result is unknown."""
        for child in children(node):
            if isinstance(child, ast.expr):
                self.eval(child)
        return Obj("unknown", node)

    def e_constant(self, node: ast.Constant) -> Obj:
        """A constant with its value."""
        result = Obj("const", node)  # keywords would cost more than the object
        result.value = node.value
        return result

    def e_name(self, node: ast.Name) -> Obj:
        """The value of a name; an unknown value is stored, so that it is the same object at the next read."""
        name = node.id
        if self.overlays:
            for overlay in reversed(self.overlays):
                if name in overlay:
                    return overlay[name]
        scope = self.scopes_active[-1]
        known = scope.owners
        owner = known[name] if name in known else scope.lookup(name)
        if owner is None:
            if self.tree.root.star_import:
                return self.starred(node, name)
            if self.tree.assume:
                return self.unbound(node, name)
            return self.imported(name) if name in _BUILTINS else Obj("unknown", node)
        if name in owner.imports:
            denoted = owner.denoted
            qualified = denoted[name] if name in denoted else self.tree.import_of(name, owner)
            if qualified is not None:
                return self.imports.get(qualified) or self.imported(qualified)
        ident = self.envs.get(owner)
        names = self.state.env.get(ident) if ident is not None else None
        value = names.get(name) if names is not None else None
        if value is not None and ident is not None:
            return self._bound_value(node, ident, value)
        defined = self._defined(node, owner)
        if defined is not None:
            return defined
        unknown = Obj("unknown", node)
        unknown.name = name
        if name in self.evident:
            unknown = self.by_evidence(node, unknown)
        if ident is not None:
            self.state.put(ident, name, unknown)
        return unknown

    def starred(self, node: ast.Name, name: str) -> Obj:
        """The value of a name that only a star import may bind."""
        key = (self.tree, name)
        if key not in self.star_names:
            home = self.tree.home
            self.star_names[key] = home.starred(self.tree, name) if home is not None else None
        full = self.star_names[key]
        return Obj("unknown", node, name=name) if full is None else self.imported(full or name)

    def _bound_value(self, node: ast.Name, ident: int, value: Obj) -> Obj:
        """The value that a name of the environment `ident` is bound to, which is read; a module where the text shows it to be one."""
        kind = value.kind
        if kind == "unknown":
            if node.id not in self.evident:
                return value
            upgraded = self.by_evidence(node, value)
            if upgraded is not value:
                value = upgraded
                self.state.put(ident, node.id, value)
        if value.is_module:
            self.touch(value.root(), "read")
        elif kind == "optimizer" or kind == "scheduler":
            self.touch(value, "read")
        return value

    def _defined(self, node: ast.Name, owner: Scope) -> Obj | None:
        """The function, the class, or the device of another file that a name without a value denotes; None for others."""
        name = node.id
        if len(owner.bindings.get(name, ())) == 1:
            if name in owner.functions:
                return Obj("function", node, scope=owner.functions[name])
            if name in owner.classes:
                return Obj("class", node, scope=owner.classes[name])
        if self.abroad and owner is self.tree.root:
            device = self.global_of(owner, name)
            if device is not None:
                return device
        if self.tree.assume and owner.is_function and not owner.is_class:
            return self._shadowed(name, owner)
        return None

    def unbound(self, node: ast.Name, name: str) -> Obj:
        """The value of a name that nothing binds, or nothing above: by its use, and the same at the next read."""
        if name in _BUILTINS:
            return self.imported(name)
        qualified = self.tree.customary(name)
        if qualified is not None:
            return self.imported(qualified)
        if name not in self.tree.free_names.free:
            return self.imported(name)
        ident = self.envs.get(self.tree.root, 0)
        value = self.state.get(ident, name) or self.by_role(node, name)
        if value.is_unknown and name in self.evident:
            value = self.by_evidence(node, value)
        self.state.put(ident, name, value)
        if value.is_module:
            self.touch(value.root(), "read")
        return value

    def by_role(self, node: ast.AST, name: str) -> Obj:
        """A value that is not known but for the role that its use shows."""
        role = self.tree.free_names.role(name)
        if role == "device":
            assumed = (premises.DEVICE_BY_NAME(name=name),)
            return Obj("device", node, device=Device("other", name), param=name, premises=assumed)
        if role == "loader":
            return Obj("loader", node, name=name, premises=(premises.LOADER_YIELDS_CPU,))
        if role in ("module", "loss"):
            assumed = (premises.IS_MODULE(name=name),)
            module = Obj("module", node, param=name, loss=role == "loss", outside=True, premises=assumed)
            self.outsiders[module] = []
            return module
        return Obj("unknown", node, name=name, param=name)

    def _shadowed(self, name: str, owner: Scope) -> Obj | None:
        """The import of the module level that a function means if it reads a name above the loop that binds it: Python
        raises there."""
        outer = owner.parent.lookup(name) if owner.parent is not None else None
        if outer is None or name not in outer.imports:
            return None
        qualified = self.tree.import_of(name, outer)
        return self.imported(qualified) if qualified is not None else None

    def imported(self, name: str) -> Obj:
        """The value of an imported qualified name, one object for each."""
        obj = self.imports.get(name)
        if obj is None:
            obj = self.imports[name] = Obj("import", name=name, scope=self.tree.root)
        return obj

    def e_attribute(self, node: ast.Attribute) -> Obj:
        """An attribute, by the kind of its object."""
        return attribute(self, self.eval(node.value), node)

    def library_attribute(self, owner: Obj, node: ast.Attribute) -> Obj | None:
        """The tensor that an object of a library has as an attribute; None where nothing is known."""
        return library_attribute(self, owner, node)

    def item_of_dataset(self, dataset: Obj, node: ast.expr) -> Obj | None:
        """One item: an image that the transform makes a tensor of, with the number of its class; a row of each tensor of a TensorDataset."""
        if dataset.value is not None or (dataset, ESCAPED) in self.state.fields:
            return None
        if dataset.items is not None:
            return Obj("tuple", node, items=tuple(self.item_of(item, 0, node) for item in dataset.items))
        if dataset.proven and is_image_classification_dataset(dataset.name):
            return Obj("tuple", node, items=(new_tensor(self, node), Obj("const", node)))
        if dataset.proven and libraries.result_of(dataset.name) == "graphset":
            return new_holder(node, new_tensor(self, node), libraries.GRAPH)
        return None

    def e_subscript(self, node: ast.Subscript) -> Obj:
        """An item: of a known container, a batch, or a tensor."""
        value = self.eval(node.value)
        return subscript(self, value, self.eval(node.slice), node)

    def e_tuple(self, node: ast.Tuple | ast.List) -> Obj:
        """A tuple or list with its items."""
        items: list[Obj] = []
        starred = False
        for element in node.elts:
            if isinstance(element, ast.Starred):
                starred = True
                items.append(self.eval(element.value))
            else:
                items.append(self.eval(element))
        kind: ObjKind = "tuple" if isinstance(node, ast.Tuple) else "list"
        if getattr(self.stack[-1].stmt.node, "value", None) is not node:  # not a return of several, nor unpacked
            self.held.update(i.root() for i in items if i.is_module)
        members = tuple(dict.fromkeys(m for i in items for m in made_of(i)))
        return Obj(kind, node, items=None if starred else tuple(items), members=members)

    def e_dict(self, node: ast.Dict) -> Obj:
        """A dict with the values of its constant keys."""
        result = Obj("dict", node)
        members: list[Obj] = []
        values: list[Obj] = []
        for key, expr in zip(node.keys, node.values):
            if key is not None:
                self.eval(key)
            value = self.eval(expr)
            values.append(value)
            members.extend(made_of(value))
            if isinstance(key, ast.Constant):
                self.state.fields[result, f"[{key.value!r}]"] = value
        result.members = tuple(dict.fromkeys(members))
        result.items = tuple(values)
        self.held.update(v.root() for v in values if v.is_module)
        return result

    def e_ifexp(self, node: ast.IfExp) -> Obj:
        """A conditional expression: a device by a test for CUDA, or both values joined."""
        test = self.eval(node.test)
        flag = cuda_test(self, node.test)
        then, other = self.spared(node.body, flag.spares_a), self.spared(node.orelse, flag.spares_b)
        device = self.conditional_device(node, test, then, other)
        if device is not None:
            return Obj("device", node, device=device)
        return merge(then, other, flag)

    def _is_given(self, name: ast.expr, value: Obj) -> bool:
        """Whether a name is a parameter for which the call gives a constant: another call may give something else than the default."""
        scope = self.scopes_active[-1]
        bound = scope.bindings.get(name.id, ()) if isinstance(name, ast.Name) and value.is_constant else ()
        if len(bound) != 1 or not isinstance(bound[0], ast.arg):
            return False
        return value.origin is not defaults(scope.function.args).get(bound[0].arg)

    def spared(self, node: ast.expr, spared: bool) -> Obj:
        """`eval` of an expression that may only run if CUDA is not used."""
        before = self.state.spared
        self.state.spared = before or spared
        value = self.eval(node)
        self.state.spared = before
        return value

    def conditional_device(self, node: ast.IfExp, test: Obj, then: Obj, other: Obj) -> Device | None:
        """The device that a conditional expression chooses; None where its arms are none."""
        if then.is_tensor_like or other.is_tensor_like:
            return None  # a thing, though .to() would take it for its device
        one, two = self.device_of(node.body, then), self.device_of(node.orelse, other)
        if one is None or two is None:
            return None
        if isinstance(test.value, bool) and self._is_given(node.test, test):
            return one if test.value else two
        if {one.kind, two.kind} == {"cuda", "cpu"}:
            available = test.is_flag and test.value == "available" and one.is_cuda
            return Device("available" if available else "flag", "", (two if one.is_cpu else one).index, node)
        return Device("other", "", None, node)

    def e_boolop(self, node: ast.BoolOp) -> Obj:
        """`and`, `or`: a flag if an operand is one."""
        values = [self.eval(node.values[0]), *map(self.aside, node.values[1:])]
        if any(v.is_flag for v in values):
            return Obj("flag", node, value="and" if isinstance(node.op, ast.And) else "or")
        return Obj("unknown", node)

    def e_unaryop(self, node: ast.UnaryOp) -> Obj:
        """An operation on one operand: a tensor stays one, `not flag` is a flag."""
        value = self.eval(node.operand)
        if value.is_tensor_like:
            return self.tensor_like(value, node)
        if isinstance(node.op, ast.Not) and value.is_flag:
            return Obj("flag", node, value="not")
        if isinstance(node.op, ast.USub) and value.is_constant and isinstance(value.value, int):
            return Obj("const", node, value=-value.value)
        return Obj("unknown", node)

    def e_binop(self, node: ast.BinOp) -> Obj:
        """An operation on two operands: tensors must be on one device, lists are joined."""
        left, right = (tensor_moved(self, self.eval(n), n, proven=False) for n in (node.left, node.right))
        self.taken(left, right)
        if left.is_tensor_like or right.is_tensor_like or left.is_constant or right.is_constant:
            left, right = as_operand(self, left, node.left), as_operand(self, right, node.right)
        if left.is_tensor_like or right.is_tensor_like:
            result = self.tensor_op(node, (left, right), (node.left, node.right))
            result.dims = max(left.dims, right.dims) if not isinstance(node.op, ast.MatMult) else 0
            result.members = (*left.members, *right.members)
            return result
        if isinstance(node.op, ast.Add) and "list" in (left.kind, right.kind):
            return Obj("list", node, members=(*made_of(left), *made_of(right)))
        return Obj(
            "unknown" if not left.is_constant or not right.is_constant else "const",
            node,
            members=(*made_of(left), *made_of(right)),
        )

    def e_compare(self, node: ast.Compare) -> Obj:
        """A comparison: of tensors on one device; its result is a tensor."""
        nodes = (node.left, *node.comparators)
        values = tuple(tensor_moved(self, self.eval(n), n, proven=False) for n in nodes)
        self.taken(*values)
        if any(v.is_tensor_like for v in values) and not any(
            isinstance(o, (ast.Is, ast.IsNot, ast.In, ast.NotIn)) for o in node.ops
        ):
            return self.tensor_op(node, values, nodes)
        return Obj("unknown", node)

    def e_named(self, node: ast.NamedExpr) -> Obj:
        """`name := value`."""
        value = self.by_evidence(node.target, self.eval(node.value))
        self.store_name(node.target.id, value)
        return value

    def e_lambda(self, node: ast.Lambda) -> Obj:
        """A lambda: its body is evaluated with unknown arguments, for its uses."""
        self.overlays.append(
            {name: Obj("unknown", a, name=name, param=name) for name, a in parameters(node.args).items()}
        )
        self.eval(node.body)
        self.overlays.pop()
        return Obj("unknown", node)

    def e_comprehension(self, node: ast.ListComp | ast.SetComp | ast.GeneratorExp | ast.DictComp) -> Obj:
        """A comprehension over a batch, a container, or an unknown iterable."""
        overlay: dict[str, Obj] = {}
        self.overlays.append(overlay)
        members: list[Obj] = []
        for generator in node.generators:
            iterable = self.eval(generator.iter)
            if _leaves_items(node):
                if iterable.is_element:
                    self.use_as_sequence(iterable, node)
                    self.overlays.pop()
                    return iterable
                if iterable.is_sequence and iterable.items is not None:
                    self.overlays.pop()
                    return Obj(
                        "list" if isinstance(node, ast.ListComp) else "tuple",
                        node,
                        items=iterable.items,
                        members=iterable.members,
                    )
            members.extend(made_of(iterable))
            bind_overlay(self, generator.target, iterable, overlay)
            for test in generator.ifs:
                self.eval(test)
        if isinstance(node, ast.DictComp):
            self.eval(node.key)
            item = self.eval(node.value)
        else:
            item = self.eval(node.elt)
        self.overlays.pop()
        members.extend(made_of(item))
        result = Obj(_COMPREHENDED.get(node.__class__, "unknown"), node, members=tuple(dict.fromkeys(members)))
        self._keep_item(node, item, result)
        return result

    def _keep_item(
        self, node: ast.ListComp | ast.SetComp | ast.GeneratorExp | ast.DictComp, item: Obj, result: Obj
    ) -> None:
        """What is known of each item of a comprehension's result."""
        if item.kind == "tensor" and item.place is not None and item.place.is_device:
            result.place = item.place
        if item.kind in ("loader", "dataset", "tensor"):
            result.base = item  # one for every key
            result.kind = "generated" if isinstance(node, ast.GeneratorExp) and item.kind == "tensor" else result.kind
        elif item.kind == "module" and result.kind == "list":
            result.base = item  # any of them
        elif item.is_instance and result.kind == "list":
            result.cls = item.cls  # of its items
        elif item.is_unknown and not isinstance(node, ast.SetComp):
            self._moved_items(node, item, result)

    def _moved_items(self, node: ast.ListComp | ast.GeneratorExp | ast.DictComp, item: Obj, result: Obj) -> None:
        """The items of a comprehension, if it moves values of unknown kind: ``[t.to(device) for t in batch]``."""
        given = node.value if isinstance(node, ast.DictComp) else node.elt
        moved = tensor_moved(self, item, given)
        if moved is not item and moved.place is not None:
            result.base = Obj("unknown", given)
            self.state.place[result.base] = moved.place
            result.kind = "generated" if isinstance(node, ast.GeneratorExp) else result.kind

    def e_await(self, node: ast.Await | ast.Yield | ast.YieldFrom) -> Obj:
        """`await` and `yield`: other code runs; a yielded value is the caller's, or escapes."""
        self.touch(WORLD, "exit")
        if self.ambient and not isinstance(node, ast.Await):
            self.ambient_activations.add(self.stack[-1].activation)
        if node.value is not None:
            value = self.eval(node.value)
            followed = isinstance(node, ast.Yield) and self.inside[-1] and not self.abroad
            followed = followed and all(
                item.is_tensor_like or item.kind in ("tuple", "const") for item in self.flatten(value)
            )
            if followed:
                self.yielded[-1].append(value)  # its uses are the caller's
                return Obj("unknown", node)
            self.yielded[-1].append(Obj("unknown", node))
            for item in self.flatten(value):
                self.use(item, "escape", node.value)
        return Obj("unknown", node)

    def e_starred(self, node: ast.Starred) -> Obj:
        """The unpacked value."""
        return self.eval(node.value)


def _leaves_items(node: ast.expr) -> bool:
    """Whether a comprehension gives the items that it goes through as they are: ``(t for t in batch)``."""
    if not isinstance(node, (ast.GeneratorExp, ast.ListComp)) or len(node.generators) != 1:
        return False
    only = node.generators[0]
    named = isinstance(node.elt, ast.Name) and isinstance(only.target, ast.Name) and node.elt.id == only.target.id
    return named and not only.ifs and not only.is_async


class _Handlers(dict[type[ast.AST], "Callable[[Any, Any], Obj]"]):
    """Which method evaluates an expression of which class."""

    def __missing__(self, cls: type[ast.AST]) -> Callable[[Any, Any], Obj]:
        self[cls] = Expressions.e_other
        return Expressions.e_other


EXPRESSIONS = _Handlers(
    {
        ast.Constant: Expressions.e_constant,
        ast.Name: Expressions.e_name,
        ast.Attribute: Expressions.e_attribute,
        ast.Subscript: Expressions.e_subscript,
        ast.Tuple: Expressions.e_tuple,
        ast.List: Expressions.e_tuple,
        ast.Dict: Expressions.e_dict,
        ast.IfExp: Expressions.e_ifexp,
        ast.BoolOp: Expressions.e_boolop,
        ast.UnaryOp: Expressions.e_unaryop,
        ast.BinOp: Expressions.e_binop,
        ast.Compare: Expressions.e_compare,
        ast.NamedExpr: Expressions.e_named,
        ast.Lambda: Expressions.e_lambda,
        ast.ListComp: Expressions.e_comprehension,
        ast.SetComp: Expressions.e_comprehension,
        ast.GeneratorExp: Expressions.e_comprehension,
        ast.DictComp: Expressions.e_comprehension,
        ast.Await: Expressions.e_await,
        ast.Yield: Expressions.e_await,
        ast.YieldFrom: Expressions.e_await,
        ast.Starred: Expressions.e_starred,
    }
)
