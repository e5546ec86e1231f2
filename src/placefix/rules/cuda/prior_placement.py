"""Values moved by a guard that may be on a GPU even if its flag is off: ``if use_cuda: x = x.cuda()`` did not move them then.

``x.to(device)`` moves them to the CPU then. A value is proven to be on the CPU if the function made it, or took it
from a loader, and nothing but the flag moved it since.
"""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from placefix import torch_model
from placefix.facts import premises
from placefix.facts import torch_api as api
from placefix.facts.devices.device_selection import Devices
from placefix.facts.devices.execution import Execution
from placefix.facts.interpret.class_summaries import ClassSummaries
from placefix.facts.interpret.flow import Flow
from placefix.facts.interpret.provenance import Provenance, made_by
from placefix.facts.naming import mentions_host_loader, names_class, names_device_argument
from placefix.facts.program.arguments import self_class
from placefix.facts.program.ast_names import dotted, every_parameter, parameters
from placefix.facts.program.device_values import condition
from placefix.facts.program.tree import dominates
from placefix.rules import messages
from placefix.rules.cuda.gpu_requirements import Intents
from placefix.rules.cuda.tensor_dimensions import Dimensions
from placefix.rules.cuda.use_sites import Cuda
from placefix.rules.cuda.values_without_flag import ValuesWithoutFlag

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from placefix.facts.context import AnalysisContext
    from placefix.facts.devices.cuda_uses import Site
    from placefix.facts.devices.reaching_devices import Reach
    from placefix.facts.interpret.values import Place
    from placefix.facts.program.conditions import Test
    from placefix.facts.program.device_values import Device
    from placefix.facts.program.expression_index import AttributeWrite
    from placefix.facts.program.tree import Scope, Stmt
    from placefix.facts.wording import Premise
    from placefix.torch_model.rows import Operator

# They are made of modules and tensors.
_HOLDERS = frozenset(f"torch.nn.{name}" for name in ("Sequential", "ModuleList", "ModuleDict", "Parameter"))
_DEEPEST = 8  # names that a value is followed through
# Methods of modules, tensors and iterators whose result is on the device of the receiver.
_KEEPS_DEVICE = frozenset(("eval", "train", "double", "float", "half", "items", "values", "next", "__next__"))


def doubt(context: AnalysisContext, site: Site, test: Test) -> Premise | None:
    """Why the value that a guarded site moves may be on a GPU if the flag is off; None if it is on the CPU then."""
    if test.available:
        return None
    off = "true" if test.negated else "false"
    asked = test.text.removeprefix("not ") if test.negated else test.text
    named = context.get(Intents).mover(site)
    if named is not None:
        return premises.GIVEN_ON_CPU_WITHOUT_FLAG(function=named.name, test=asked, value=off)
    assert isinstance(site.node, ast.Call) and isinstance(site.node.func, ast.Attribute)
    moved = site.node.func.value
    known = _Known(context, site, test)
    by_code = not known.contradicted and known.made(moved, site.stmt)
    if not by_code and (known.contradicted or not known.followed(moved)):
        shown = context.quoted(moved, messages.MOVED)
        return premises.MOVED_ON_CPU_WITHOUT_FLAG(moved=shown, test=asked, value=off)
    if by_code:
        return None
    values = context.get(Flow).values.get(site.node, ())
    return next((premise for value in values if value.is_module for premise in value.root().premises), None)


class _Known:
    """The places of values at a guarded site if its flag is off."""

    def __init__(self, context: AnalysisContext, site: Site, test: Test) -> None:
        self.context = context
        self.site = site
        self.test = test
        self.scope = site.stmt.scope
        self.places = context.get(Flow).lay.get(site.node, [])
        self.values = ValuesWithoutFlag(context, test, positive=site.guard is not None and site.guard.positive)
        self.dimensions = Dimensions(context, self.values.of)

    @property
    def contradicted(self) -> bool:
        """Whether the code that runs through it shows a GPU there."""
        known = (p for p in self.places if p.device is None or p.device.kind != "other")
        return any(place.has_device and not self._off(place) for place in known) or self._placed

    @property
    def _placed(self) -> bool:
        """Whether a statement above places the same object independently of the flag, as ``net.cuda()`` does."""
        assert isinstance(self.site.node, ast.Call) and isinstance(self.site.node.func, ast.Attribute)
        moved = dotted(self.site.node.func.value)
        for other in self.context.get(Cuda).sites_of(self.scope) if moved else ():
            node = other.node
            if (
                isinstance(other.stmt.node, ast.Expr)
                and isinstance(node, ast.Call)
                and isinstance(node.func, ast.Attribute)
                and dotted(node.func.value) == moved
                and node.lineno < self.site.node.lineno
                and (other.guard is None or other.guard.test is None or other.guard.test.key != self.test.key)
            ):
                return True
        return False

    # --- by the code of its function ---------------------------------------------------------------

    def made(self, expr: ast.expr, stmt: Stmt, depth: int = 0) -> bool:
        """Whether the value of an expression at `stmt` was made by the function on the CPU, or taken from a loader."""
        if depth > _DEEPEST:
            return False
        if isinstance(expr, ast.Name) and self_class(stmt.scope, expr.id) is not None:
            return self._made_here(stmt.scope)
        if isinstance(expr, ast.Name):
            found = self.values.of(expr.id, stmt)
            return bool(found) and all(self._origin(value, where, depth) for value, where in found)
        if isinstance(expr, (ast.Subscript, ast.Starred)):
            return self.made(expr.value, stmt, depth + 1)
        if isinstance(expr, ast.UnaryOp):
            return self.made(expr.operand, stmt, depth + 1)
        if isinstance(expr, ast.BinOp):
            return self._meet((expr.left, expr.right), stmt, depth)
        if isinstance(expr, ast.IfExp):
            return self.made(expr.body, stmt, depth + 1) and self.made(expr.orelse, stmt, depth + 1)
        if isinstance(expr, ast.Call):
            return self._called(expr, stmt, depth)
        return isinstance(expr, ast.Attribute) and self._attribute(expr, stmt, depth)

    def _origin(self, value: ast.expr | None, where: Stmt, depth: int) -> bool:
        """Whether the value that a name got at `where` is on the CPU; value None: an item of a loop's iterable."""
        if value is not None:
            return self.made(value, where, depth + 1)
        return isinstance(where.node, (ast.For, ast.AsyncFor)) and self._loads(where.node.iter)

    def _attribute(self, expr: ast.Attribute, stmt: Stmt, depth: int) -> bool:
        """``self.net`` that the function assigned above; a part of a batch."""
        root = dotted(expr).partition(".")[0]
        if root and self_class(stmt.scope.lookup(root), root) is None:
            return self.made(expr.value, stmt, depth + 1)
        last = self._assigned_above(expr, stmt)
        return last is not None and last.value is not None and self.made(last.value, last.stmt, depth + 1)

    def _assigned_above(self, expr: ast.Attribute, stmt: Stmt) -> AttributeWrite | None:
        """The assignment of the same function that an attribute has its value from at `stmt`, where only the guard may replace it."""
        text = dotted(expr)
        writes = self.context.index.values(stmt.scope, text) if text else []
        above = [w for w in writes if w.stmt is not stmt and dominates(w.stmt, stmt)]
        if not above:
            return None
        mine = self.site.guard.stmt if self.site.guard is not None else stmt
        between = [w for w in writes if w is not above[-1] and not dominates(w.stmt, above[-1].stmt)]
        return above[-1] if all(mine in w.stmt.ancestors() for w in between) else None

    def _called(self, call: ast.Call, stmt: Stmt, depth: int) -> bool:
        """Whether the result of a call is on the CPU."""
        name = self.context.tree.qualname(call.func, stmt.scope)
        if name is not None:
            return self._imported(name, call, stmt, depth)
        func = call.func
        if isinstance(func, ast.Attribute):
            return self._method(func, call, stmt, depth)
        if not isinstance(func, ast.Name) or _device_arguments(call):
            return False
        if self_class(stmt.scope, func.id) is not None:
            return True  # cls(…)
        if func.id not in ("next", "iter") or not call.args:
            return False
        return self._loads(call.args[0]) or (func.id == "next" and self.made(call.args[0], stmt, depth + 1))

    def _imported(self, name: str, call: ast.Call, stmt: Stmt, depth: int) -> bool:
        """Whether the result of an imported function or class is on the CPU."""
        told = _device_arguments(call)
        if torch_model.is_factory(name) and not name.endswith(("_like", "as_tensor")):
            if told:
                return len(told) == 1 and self._is_off(told[0].value, stmt)
            return not self._is_ambient
        if name == api.VARIABLE or torch_model.computes_tensor(name):
            return not told and self._computed(torch_model.function(name), call, (), stmt, depth)
        return self._constructs(name, call, stmt, depth)

    def _method(self, func: ast.Attribute, call: ast.Call, stmt: Stmt, depth: int) -> bool:
        """Whether the result of a method is on the CPU."""
        if func.attr == "cpu":
            return True
        if func.attr == "to":
            return len(call.args) == 1 and self._is_off(call.args[0], stmt)
        if _device_arguments(call):
            return False
        if torch_model.stays(func.attr):
            return self._computed(torch_model.method(func.attr), call, (func.value,), stmt, depth)
        return func.attr in _KEEPS_DEVICE and self.made(func.value, stmt, depth + 1)

    @property
    def _is_ambient(self) -> bool:
        """Whether the file sets the device of tensors that are made without `device=`."""
        return self.context.tree.has_default_device or any(
            isinstance(stmt.node, (ast.With, ast.AsyncWith)) and not dotted(call.func).endswith("cuda.device")
            for call, stmt in self.context.index.called("device")
        )

    def _is_off(self, device: ast.expr, stmt: Stmt) -> bool:
        """Whether a device is the CPU where the flag is off: CPU by its name, or the one that the guard's fix uses."""
        meaning = self.context.get(Devices).meaning(device, stmt.scope)
        if meaning is None or meaning.is_cpu:
            return meaning is not None
        reach = self._of_the_flag
        return reach is not None and reach.text == dotted(device) and reach.meaning.key == meaning.key

    @property
    def _key(self) -> tuple[object, ...] | None:
        """The condition under which the guard moves."""
        return condition(self.test, self.site.guard.positive) if self.site.guard is not None else None

    @property
    def _of_the_flag(self) -> Reach | None:
        """The device in reach of the guard that is CUDA where its flag is on, else the CPU."""
        reach = self.context.get(Devices).at(self.site.stmt, self._key) if self._key is not None else None
        return reach if reach is not None and reach.meaning.key == self._key else None

    def _defines(self, device: Device) -> bool:
        """Whether the definition of that device is where another one is from."""
        reach = self._of_the_flag
        return (
            reach is not None and reach.stmt is not None and any(n is device.origin for n in ast.walk(reach.stmt.node))
        )

    # --- operations -------------------------------------------------------------------------------

    def _computed(
        self, operator: Operator | None, call: ast.Call, receiver: tuple[ast.expr, ...], stmt: Stmt, depth: int
    ) -> bool:
        """Whether the result of an operator of torch is on the CPU; operator None: the model has no row for it."""
        if operator is None:
            return self._meet([part for arg in call.args for part in _parts(arg)], stmt, depth)
        if not operator.follows:
            return operator.device == "cpu"
        given = [(None, arg) for arg in call.args] + [(k.arg, k.value) for k in call.keywords]
        shared = operator.shared(given, method=bool(receiver))
        operands = [arg for arg, operand in shared if not operator.may_be_dimension(operand)]
        if operator.device == "input" and not receiver and given:
            operands = [given[0][1], *(arg for arg in operands if arg is not given[0][1])]
        parts = [*receiver, *(part for arg in operands for part in _parts(arg))]
        return self._meet(parts, stmt, depth, strict=operator.together == "all")

    def _meet(self, operands: Sequence[ast.expr], stmt: Stmt, depth: int, *, strict: bool = False) -> bool:
        """Whether the result of an operation is on the CPU: all its tensors are, or one is that mixes with no other device;
        `strict`: a 0-dim one does not either."""
        made, rest = self._divided(operands, stmt, depth)
        return bool(made) and (
            not rest or strict or any(self.dimensions.are_shown(expr, stmt, depth + 1) for expr in made)
        )

    def _divided(self, operands: Sequence[ast.expr], stmt: Stmt, depth: int) -> tuple[list[ast.expr], list[ast.expr]]:
        """The operands on the CPU, and the others, without numbers."""
        found: tuple[list[ast.expr], list[ast.expr]] = ([], [])
        for expr in operands:
            if not _is_number(expr):
                found[not self.made(expr, stmt, depth + 1)].append(expr)
        return found

    def _may_mix(self, moved: ast.expr) -> bool:
        """Whether it is the result of an operation on a 0-dim tensor of the CPU and another tensor, which may be on any device."""
        stmt = self.site.stmt
        values = self.values.of(moved.id, stmt) if isinstance(moved, ast.Name) else [(moved, stmt)]
        for value, where in values:
            if value is None or (isinstance(value, ast.Call) and self._makes_tensor(value, where)):
                continue
            made, rest = self._divided(_operands(value), where, 0)
            if made and rest and not any(self.dimensions.are_shown(expr, where, 0) for expr in made):
                return True
        return False

    def _makes_tensor(self, call: ast.Call, stmt: Stmt) -> bool:
        return torch_model.is_factory(self.context.tree.qualname(call.func, stmt.scope))

    # --- constructions ----------------------------------------------------------------------------

    def _made_here(self, scope: Scope) -> bool:
        """Whether a method is the constructor of a module, where no attribute is an argument that may be a module."""
        if (
            scope.name != "__init__"
            or scope.parent is None
            or not self.context.get(ClassSummaries).of(scope.parent).is_module
        ):
            return False
        index, names = self.context.index, parameters(scope.function.args)
        kept = [
            text
            for text, writes in index.writes.items()
            if any(w.stmt.scope is scope and w.value is not None and dotted(w.value) in names for w in writes)
        ]
        asked = ("cuda", "to", "cpu")
        return not any(
            index.attribute_reads(text) or any(dotted(call.func) == text for call, _ in index.calls) for text in kept
        ) and not any(
            s is not self.site and s.guard is None for s in self.context.get(Cuda).sites_of(scope) if s.form in asked
        )

    def _constructs(self, name: str, call: ast.Call, stmt: Stmt, depth: int) -> bool:
        """Whether a call makes a module from values on the CPU, and nothing shows that it places itself."""
        if self._is_ambient:
            return False
        found = self.context.home.find(name) if self.context.home is not None else None
        init = found.scope.functions.get("__init__") if found is not None and found.scope is not None else None
        if any(k.arg == "device" or _may_be_told(init) for k in _device_arguments(call)):
            return False
        if name in _HOLDERS or name.endswith("DataParallel"):
            return bool(call.args) and all(self.made(arg, stmt, depth + 1) for arg in call.args)
        if api.is_module_constructor(name) or (made_by(name) and not name.startswith("torch.")):
            return True
        if found is not None:
            return found.kind == "class" and found.scope is not None and self._is_plain_module(found.scope)
        return names_class(name) and not name.startswith("torch.")

    def _is_plain_module(self, cls: Scope) -> bool:
        """Whether a class is a module on known bases that does not place itself."""
        info = self.context.get(ClassSummaries).of(cls)
        return info.is_module and not info.places_self and "?" not in info.bases

    def _loads(self, iterable: ast.expr) -> bool:
        """Whether a loop runs over a loader, by its name: batches are collated on the CPU."""
        return mentions_host_loader(self.context.source.code(iterable))

    # --- by the interpreter ------------------------------------------------------------------------

    def followed(self, moved: ast.expr) -> bool:
        """Whether every value that the file can bind there is on the CPU if the flag is off, and no other code can bind one."""
        root = moved
        while isinstance(root, (ast.Attribute, ast.Subscript, ast.Call)):
            if isinstance(root, ast.Attribute) and self_class(
                self.scope.lookup(dotted(root.value)), dotted(root.value)
            ):
                return False  # any code may have placed an attribute that a method reads
            root = root.func if isinstance(root, ast.Call) else root.value
        if not self.places or not all(map(self._off, self.places)) or self._may_mix(moved):
            return False
        if any(o.name in _HOLDERS for o in self.context.get(Flow).values.get(self.site.node, ())):
            return False  # they are on the device of their parts
        if isinstance(root, ast.Name) and self.scope.is_function and self._is_handed_over():
            # whoever has the object may call a method
            return self.scope.cls is None and self.context.get(Execution).has_known_callers(self.scope)
        return self.scope.is_root or self.context.get(Execution).is_script or self._own(root)

    def _is_handed_over(self) -> bool:
        """Whether the moved value may come from the caller."""
        moved = self.site.receiver
        return moved is not None and self.context.get(Provenance).is_handed_over(moved, self.scope)

    def _own(self, root: ast.expr) -> bool:
        """Whether a value begins with a name of the function itself."""
        return not isinstance(root, ast.Name) or self.scope.lookup(root.id) in (self.scope, None)

    def _off(self, place: Place) -> bool:
        """Whether a place is the CPU where the flag is off."""
        if place.is_host:
            return True
        if not place.is_device or place.device is None:
            return False
        if place.device.is_cpu:
            return True
        if place.device.is_flag and self._defines(place.device):
            return True
        event, guard = place.event, self.site.guard
        if not place.device.is_flag or event is None or guard is None:
            return False
        there = next((s.guard for s in self.context.get(Cuda).sites if s.node is event.node), None)
        if (
            there is None
            or there.test is None
            or condition(there.test, there.positive) != condition(self.test, guard.positive)
            or not all(map(self._same_root, there.test.roots, self.test.roots))
        ):
            return False
        return self.context.get(Devices).settled(self.test, there.stmt, guard.stmt)

    @staticmethod
    def _same_root(one: tuple[str, Scope], two: tuple[str, Scope]) -> bool:
        """Whether two names are one, or the object in two of its methods."""
        if one == two:
            return True
        cls = self_class(one[1], one[0])
        return cls is not None and self_class(two[1], two[0]) is cls


def _device_arguments(call: ast.Call) -> list[ast.keyword]:
    """The keyword arguments of a call that are a device, or may have one: ``device=d``, ``**options``."""
    return [k for k in call.keywords if k.arg in ("device", None)]


def _may_be_told(init: Scope | None) -> bool:
    """Whether a constructor may get a device: by a parameter of such a name, or by any name."""
    if init is None:
        return True
    return init.function.args.kwarg is not None or any(
        names_device_argument(a.arg) for a in every_parameter(init.function.args)
    )


def _operands(expr: ast.expr) -> list[ast.expr]:
    """The operands of an operation, a function or a method."""
    if isinstance(expr, ast.BinOp):
        return [expr.left, expr.right]
    if not isinstance(expr, ast.Call):
        return []
    return [
        *([expr.func.value] if isinstance(expr.func, ast.Attribute) else []),
        *(p for a in expr.args for p in _parts(a)),
    ]


def _is_number(expr: ast.expr) -> bool:
    """Whether an operand is written as a number, or as numbers: a size, dimensions."""
    if isinstance(expr, ast.UnaryOp):
        return _is_number(expr.operand)
    if isinstance(expr, (ast.Tuple, ast.List)):
        return all(map(_is_number, expr.elts))
    return isinstance(expr, ast.Constant)


def _parts(expr: ast.expr) -> Iterator[ast.expr]:
    if isinstance(expr, (ast.List, ast.Tuple)):
        yield from expr.elts
    else:
        yield expr
