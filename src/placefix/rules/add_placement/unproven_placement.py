"""The values that are not proven to be on the right device after a script without placement (`unplaced_scripts`) is placed."""

from __future__ import annotations

import ast
from collections import defaultdict
from typing import TYPE_CHECKING, Any, NamedTuple

from placefix import torch_model
from placefix.facts import premises
from placefix.facts.interpret.trace import Observer
from placefix.facts.naming import names_settings
from placefix.facts.program.ast_names import argument_values, dotted, has_name, keyword_value
from placefix.facts.program.ast_walk import header, parents, walk
from placefix.facts.program.attributes_of_self import uses_of_self
from placefix.reachability import reachable
from placefix.rules.tensors.device_conflicts import FREE

if TYPE_CHECKING:
    from collections.abc import Iterator

    from placefix.facts.context import AnalysisContext
    from placefix.facts.interpret.values import Event, Obj
    from placefix.facts.program.tree import Scope, Stmt
    from placefix.facts.wording import Doubt

# Builtins that take a tensor of a device as they take one of the CPU.
_NUMBERS = frozenset({"len", "int", "float", "min", "max", "abs", "round", "range", "sum", "bool"})
_MAX_NAMES = 30  # that are followed to find out where one value comes from
_MADE_IN_INIT = frozenset({"__init__", "reset_parameters", "init_weights", "_init_weights"})

_EXPRESSION = "an expression"


class Objection(NamedTuple):
    """A value that is not proven to be on the right device. wrong: it is proven to be on another one."""

    wrong: bool
    why: Doubt


class _Watched(Observer):
    """The analysis, with the values of each expression."""

    def __init__(self, context: AnalysisContext) -> None:
        self.seen: dict[ast.expr, list[Obj]] = defaultdict(list)
        super().__init__(context.tree, context.source)

    def observe(self, node: ast.expr, value: Obj) -> None:
        """Record a value of an expression."""
        self.seen[node].append(value)


class UnprovenPlacement:
    """The objections to a script after PF501 has placed it."""

    def __init__(self, context: AnalysisContext) -> None:
        self.context = context
        self.flow = _Watched(context)

    def all(self) -> Iterator[Objection]:
        """All objections; the same reason may occur several times."""
        yield from self._shown()
        yield from self._modules()
        yield from self._uses()
        yield from self._operands()
        yield from self._classes()
        yield from self._numpy()

    def _at(self, node: Any) -> str:
        return f"line {self.context.source.line_of(self.context.span(node).start)}"

    def _shown(self) -> Iterator[Objection]:
        """Operations with operands on different devices, and reads by the host of tensors on a device."""
        for event in self.flow.events:
            if event.kind in ("conflict", "stayed"):
                yield Objection(
                    True,
                    premises.CANNOT_BE_MOVED(
                        line=self._at(event.node), value=self.context.quoted(event.arg_node or event.node, _EXPRESSION)
                    ),
                )
            elif event.kind == "host":
                yield Objection(
                    True,
                    premises.READ_ON_HOST(
                        line=self._at(event.node), value=self.context.quoted(event.arg_node or event.node, _EXPRESSION)
                    ),
                )

    def _modules(self) -> Iterator[Objection]:
        for event in self.flow.events:
            if event.kind == "optimizer" and not self._optimises_placed(event):
                yield Objection(False, premises.OPTIMIZED_NOT_PLACED(line=self._at(event.node)))
            if event.kind != "call" or not isinstance(event.node, ast.Call):
                continue
            yield from self._call(event, event.node)
        for stmt, touched in self.flow.touches.items():
            if any(obj.is_module and not obj.loss and what == "opaque" for obj, what in touched):
                yield Objection(False, premises.MODULE_GOES_TO_UNKNOWN_CODE(line=self._at(stmt.node)))

    def _call(self, event: Event, call: ast.Call) -> Iterator[Objection]:
        """The objections against a call of a module: where it lies, and its arguments."""
        if event.what != "loss" and (event.place is None or not event.place.is_device):
            row = premises.MODULE_NOT_PLACED(line=self._at(call), module=self.context.quoted(call.func, _EXPRESSION))
            yield Objection(False, row)
        for argument in argument_values(call):
            if all(self._fits(value) for value in self.flow.seen.get(argument, ())):
                continue
            line, text = self._at(argument), self.context.quoted(argument, _EXPRESSION)
            if (event.what == "loss" or argument is call.args[0]) and self._left_behind(argument, event):
                yield Objection(True, premises.NOT_A_MOVABLE_TENSOR(line=line, value=text))
            yield Objection(False, premises.NOT_ON_DEVICE(line=line, value=text))

    def _optimises_placed(self, event: Event) -> bool:
        """Whether an optimizer gets only modules on a device, or parts of such."""
        pairs = zip(event.args, event.places, strict=True)
        return bool(event.args) and all(place.is_device or self._within_placed(obj, event) for obj, place in pairs)

    def _within_placed(self, part: Obj, event: Event) -> bool:
        """Whether a module was set as a part of one that was placed afterwards, before `event`."""
        wholes = {owner for (owner, _), value in self.flow.state.fields.items() if value is part}
        made = next((e.order for e in self.flow.index.of_kind("module") if e.obj is part), event.order)
        return any(e.obj.root() in wholes and made < e.order < event.order for e in self.flow.index.of_kind("place"))

    def _fits(self, value: Obj) -> bool:
        """Whether a module on a device may be given this."""
        if value.is_container and value.items is not None:
            return all(map(self._fits, value.items))
        if value.is_tensor_like:
            return value.place is not None and (value.place.is_device or (value.place.is_host and value.maybe))
        return value.is_constant

    def _left_behind(self, expr: ast.expr, event: Event) -> bool:
        """Whether an expression is computed without any module or tensor that is placed. Before the fix it was on the CPU, as
        the module was; after the fix the module is on the device, and the expression is still on the CPU."""
        todo: list[tuple[ast.AST, Scope]] = [(expr, event.stmt.scope)]
        known: set[tuple[str, Scope]] = set()
        for node, scope in todo:  # it grows on the way
            for part in walk(node):
                if any(
                    v.is_module or self.flow.on_device(v) or v.kind in ("params", "part", "optimizer") or v.given
                    for v in self.flow.seen.get(part, ())
                ):
                    return False
                owner = scope.lookup(part.id) if isinstance(part, ast.Name) else None
                if owner is None or (part.id, owner) in known or len(known) > _MAX_NAMES:
                    continue
                text = part.id
                if text in owner.functions or (owner.is_function and owner.cls is not None):
                    return False  # the code of its class is not followed, nor are other objects in it
                known.add((text, owner))
                todo += (
                    (value, stmt.scope)
                    for stmt in self.context.index.binding(owner, text)
                    for value in header(stmt.node)
                )
        return len(known) <= _MAX_NAMES

    def _uses(self) -> Iterator[Objection]:
        """Uses of tensors on a device that may need them on the CPU: all but computations."""
        for obj, uses in self.flow.uses.items():
            if not self.flow.on_device(obj):
                continue
            for what, node in uses:
                if what not in FREE:
                    yield Objection(
                        False,
                        premises.MAY_BE_WANTED_ON_CPU(
                            line=self._at(node), value=self.context.quoted(node, _EXPRESSION)
                        ),
                    )

    def _operands(self) -> Iterator[Objection]:
        """Tensors on a device that are used with values that may be tensors on the CPU."""
        for node in list(self.flow.seen):
            parts: list[ast.expr] = []
            if isinstance(node, ast.BinOp):
                parts = [node.left, node.right]
            elif isinstance(node, ast.Compare):
                parts = [node.left, *node.comparators]
            elif isinstance(node, ast.Call):
                parts = argument_values(node)
                parts += [node.func.value] if isinstance(node.func, ast.Attribute) else []
            if not any(self.flow.on_device(v) for p in parts for v in self.flow.seen.get(p, ())):
                continue
            for part in parts:
                values = self.flow.seen.get(part, ())
                if any(
                    v.kind in ("unknown", "part") or (v.kind == "tensor" and v.place is not None and v.place.is_unknown)
                    for v in values
                ) and not self._number(part):
                    yield Objection(
                        False,
                        premises.OPERAND_NOT_KNOWN(line=self._at(part), value=self.context.quoted(part, _EXPRESSION)),
                    )

    def _number(self, node: ast.expr) -> bool:
        """Whether an expression is a number, a shape, a setting or the like, by its form."""
        if isinstance(node, ast.Constant):
            return True
        if isinstance(node, ast.UnaryOp):
            return self._number(node.operand)
        if isinstance(node, ast.BinOp):
            return self._number(node.left) and self._number(node.right)
        if isinstance(node, ast.Subscript):
            return self._number(node.value)
        if isinstance(node, ast.Call):
            name = dotted(node.func)
            last = node.func.attr if isinstance(node.func, ast.Attribute) else name
            return (
                name in _NUMBERS
                or name.startswith("math.")
                or last in ("size", "item", "numel", "dim", "nelement", "tolist")
            )
        if isinstance(node, ast.Attribute):
            root = dotted(node).partition(".")[0]
            return node.attr in ("shape", "ndim", "dtype", "pi") or root == "torch" or names_settings(root)
        if isinstance(node, ast.Name):
            stmts = [s for s in self.context.tree.stmts.values() if self._binds(s, node.id)]
            return bool(stmts) and all(self._binds_number(s) for s in stmts)
        return isinstance(node, (ast.Lambda, ast.JoinedStr, ast.Compare))

    @staticmethod
    def _binds(stmt: Stmt, name: str) -> bool:
        node = stmt.node
        if isinstance(node, (ast.Assign, ast.AugAssign, ast.AnnAssign, ast.For)):
            targets = node.targets if isinstance(node, ast.Assign) else [node.target]
            return any(has_name(target, name) for target in targets)
        return False

    def _binds_number(self, stmt: Stmt) -> bool:
        node = stmt.node
        if isinstance(node, ast.For):
            return isinstance(node.iter, ast.Call) and dotted(node.iter.func) == "range"
        value = getattr(node, "value", None)
        return isinstance(value, ast.Constant) or (isinstance(value, ast.Call) and self._number(value))

    def _classes(self) -> Iterator[Objection]:
        """Tensors that the code of modules makes on the CPU, and modules whose class is in another file."""
        for event in self.flow.events:
            cls = event.obj.cls
            if event.kind == "module" and cls is not None and cls.scope.tree is not self.context.tree:
                yield Objection(
                    False,
                    premises.CLASS_IN_ANOTHER_FILE(line=self._at(event.node), cls=cls.scope.name),
                )
        for scope in self.context.tree.scopes.values():
            if scope.is_class and self.flow.class_info(scope).is_module:
                for name in sorted(self._run_inside(scope)):
                    yield from self._method(name, scope.functions[name])

    def _run_inside(self, scope: Scope) -> set[str]:
        """The methods that a call of the module runs, and those that make it; others are followed where they are called."""
        uses = {name: uses_of_self(method) for name, method in scope.functions.items()}
        return reachable(
            [name for name in ("forward", *_MADE_IN_INIT) if name in uses],
            lambda name: uses.keys() & uses[name].keys(),
        )

    def _method(self, name: str, method: Scope) -> Iterator[Objection]:
        around = parents(method.function)
        for node in method.nodes:
            if not isinstance(node, ast.Call):
                continue
            made = torch_model.is_factory(self.context.tree.qualname(node.func, method))
            if name in _MADE_IN_INIT:
                attribute = _attribute_of(node, around)
                if made and attribute:
                    yield Objection(True, premises.ATTRIBUTE_STAYS(line=self._at(node), attribute=attribute))
                continue
            helper = self.context.tree.root.functions.get(node.func.id) if isinstance(node.func, ast.Name) else None
            local = helper is not None and _makes(helper)
            placed = keyword_value(node, "device") is not None or self._moved(node, around)
            if (made or local) and not placed:
                row = premises.RESULT_NOT_ON_DEVICE(
                    line=self._at(node), function=self.context.quoted(node.func, _EXPRESSION)
                )
                yield Objection(False, row)
            if (self.context.tree.qualname(node.func, method) or "").startswith("numpy."):
                yield Objection(False, premises.NUMPY_IN_MODULE(line=self._at(node)))

    @staticmethod
    def _moved(node: ast.expr, around: dict[ast.AST, ast.AST]) -> bool:
        """``torch.randn(…).to(…)``, other methods in between."""
        above: ast.AST | None = node
        while above is not None and isinstance(above, (ast.Call, ast.Attribute)):
            if isinstance(above, ast.Attribute) and above.attr in ("to", "type_as"):
                return True
            above = around.get(above)
        return False

    def _numpy(self) -> Iterator[Objection]:
        """Reads of the host's memory that are not shown to be of a tensor there."""
        on_host = {
            id(node)
            for obj, uses in self.flow.uses.items()
            for what, node in uses
            if what == "host" and obj.place is not None and obj.place.is_host
        }
        for node in self.context.tree.root.nodes:
            if (
                isinstance(node, ast.Call)
                and isinstance(node.func, ast.Attribute)
                and node.func.attr == "numpy"
                and not node.args
            ):
                if ".cpu()" not in self.context.text(node.func.value) and id(node) not in on_host:
                    yield Objection(
                        False,
                        premises.READS_DEVICE_TENSOR(line=self._at(node), value=self.context.quoted(node, _EXPRESSION)),
                    )


def _makes(function: Scope) -> bool:
    """Whether a function makes tensors, or computes with numpy."""
    called = (function.tree.qualname(n.func, function) for n in function.nodes if isinstance(n, ast.Call))
    return any(name is not None and (torch_model.is_factory(name) or name.startswith("numpy.")) for name in called)


def _attribute_of(made: ast.expr, around: dict[ast.AST, ast.AST]) -> str:
    """The attribute of the object that a value is assigned to, operations and methods in between: ``self.x = 2 * torch.ones(3).T``."""
    owner = around.get(made)
    while isinstance(owner, (ast.BinOp, ast.Attribute)) or _is_method_of_value(owner):
        owner = around.get(owner)  # type: ignore[arg-type]
    target = dotted(owner.targets[0]) if isinstance(owner, ast.Assign) else ""
    return target if target.startswith("self.") else ""


def _is_method_of_value(node: ast.AST | None) -> bool:
    """Whether a call is of a method of a value without a name."""
    return isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and not dotted(node.func)
