"""Where a value comes from: from torch, from a class with moves that are not torch's, or from code that is not known.

It is derived from the values of `SummaryRuns`: a function's result from its summary, an attribute from its assignments,
an item from the content of its container. If one of several sources is unknown, so is the value.
"""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, Literal

from placefix import torch_model
from placefix.facts import torch_api as api
from placefix.facts.interpret.attribute_writes import AttributeStores, stores_in, stores_of
from placefix.facts.interpret.class_summaries import ClassSummaries, class_info, decorated
from placefix.facts.interpret.function_summaries import SummaryRuns
from placefix.facts.interpret.values import Obj
from placefix.facts.program.ast_names import every_parameter, is_literal, parameters
from placefix.facts.program.returns import gives_something

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from placefix.facts.context import AnalysisContext
    from placefix.facts.interpret.attribute_writes import Stores
    from placefix.facts.program.repository import Definition
    from placefix.facts.program.tree import Scope, Stmt, Tree

Origin = Literal["torch", "own", ""]
TORCH: Origin = "torch"
OWN: Origin = "own"
UNKNOWN: Origin = ""
# Packages whose classes and factories make modules or tensors of torch.
_TORCH_PACKAGES = frozenset(
    {"torch", "torchvision", "torchaudio", "torchtext", "timm", "transformers", "diffusers", "segmentation_models_pytorch",
     "efficientnet_pytorch", "pytorch_pretrained_bert", "pytorch_transformers", "pretrainedmodels", "geotorch", "lpips", "einops", "monai",
     "kornia", "apex"}
)  # fmt: skip
_NO_TENSORS = ("torch.utils.data", "torch.distributed", "torchtext.data", "torch.cuda")
_MAX_STEPS = 2000  # values that are looked at for one answer


def made_by(name: str) -> bool:
    """Whether a call of the qualified name, taken that its result has a ``.cuda()``, gives a tensor or module of torch."""
    if torch_model.gives_tensor(name) or name == api.VARIABLE:
        return True
    if api.is_module_constructor(name):
        return True
    if name.startswith("torch.cuda."):
        return name.removeprefix("torch.cuda.") in api.TENSOR_TYPES
    return name.partition(".")[0] in _TORCH_PACKAGES and not name.startswith(_NO_TENSORS)


class Provenance:
    """The origins of the values of one file."""

    def __init__(self, context: AnalysisContext) -> None:
        self._context = context
        self._tree = context.tree
        self._classes = context.get(ClassSummaries).known
        self._stores: dict[Tree, Stores] = context.get(AttributeStores).known
        self._runs: SummaryRuns | None = None
        self._under: set[Obj] = set()  # values that are being looked at
        self._holding: set[Obj] = set()  # and containers

    def release(self) -> None:
        """Break the reference cycles of the runs."""
        if self._runs is not None:
            self._runs.release()
            self._runs.__dict__.clear()

    @property
    def runs(self) -> SummaryRuns:
        """The interpreted functions of this file and of those that it imports."""
        if self._runs is None:
            self._runs = SummaryRuns(self._tree, self._classes)
        return self._runs

    def of(self, expr: ast.expr, scope: Scope, move: str) -> Origin:
        """TORCH where `expr`, evaluated in `scope`, can only be a tensor or module of torch, whoever calls the function;
        OWN where it may have a method `move` that is not torch's."""
        self._move = move
        self._under.clear()
        self._holding.clear()
        self._steps = 0
        return _all(self._origin(value) for value in self.values(expr, scope)) or UNKNOWN

    def values(self, expr: ast.expr, scope: Scope) -> list[Obj]:
        """The values of an expression in a function or on module level, with arguments that are not known."""
        if scope.is_function:
            self.runs.result(scope)
        return self.runs.seen.get(expr, [])

    def module_classes(self, expr: ast.expr, scope: Scope) -> Iterator[Scope]:
        """The classes of this file that a module, the value of `expr`, may be of."""
        for value in self.values(expr, scope):
            root = value.root()
            if root.kind == "module" and root.cls is not None and root.cls.scope.tree is self._tree:
                yield root.cls.scope

    # --- arguments ----------------------------------------------------------------------

    def is_handed_over(self, expr: ast.expr, scope: Scope) -> bool:
        """Whether `expr` may be an argument of its function itself, a part or a view of one, or the result of a torch function on one."""
        arguments = parameters(scope.function.args) if scope.is_function else {}
        own = {argument for name, argument in arguments.items() if name not in ("self", "cls")}
        if not self.values(expr, scope):
            return bool(own)  # code that no run reaches
        return any(value.param and value.origin in own for value in self._closure(expr, scope, self._whole))

    def depends_on_arguments(self, expr: ast.expr, scope: Scope) -> bool:
        """Whether `expr` is computed of anything that a caller hands over, to the function or to a lambda in it."""
        functions = (around for around in scope.chain() if around is not scope and around.is_function)
        others = {a for around in functions for a in every_parameter(around.function.args)}
        if scope.cls is not None:
            others.update(a for a in every_parameter(scope.function.args) if a.arg in ("self", "cls"))
        return any(
            value.param and value.origin not in others for value in self._closure(expr, scope, self._computed_of)
        )

    def is_made_on_host(self, expr: ast.expr, scope: Scope, *, called: bool = False) -> bool:
        """Whether `expr` can only be a tensor that the function made on the CPU. called: or a function that it calls."""
        values = self.values(expr, scope)
        if not values or not all(_lies_on_host(self._returned(value) if called else value) for value in values):
            return False
        # a module without parameters computes where its arguments are
        return self.runs.outputs.isdisjoint(self._closure(expr, scope, self._operands))

    def _returned(self, value: Obj) -> Obj:
        """The value that a called function of the repository returns, for the result of its call; other values as they are."""
        made = self.runs.result(value.maker) if value.maker is not None and value.maker.is_function else None
        return made or value

    def _closure(self, expr: ast.expr, scope: Scope, before: Callable[[Obj], Iterable[Obj]]) -> set[Obj]:
        """The values of an expression, and all that they come from."""
        found: set[Obj] = set()
        left = [*self.values(expr, scope)]
        while left:
            value = left.pop()
            if value not in found:
                found.add(value)
                left += [*value.alts, *before(value)]
        return found

    def _whole(self, value: Obj) -> Iterable[Obj]:
        whole = self.runs.wholes.get(value)
        return () if whole is None else (whole,)

    def _operands(self, value: Obj) -> Iterable[Obj]:
        """The operands of a value; none for a factory, which reads sizes alone."""
        return () if value in value.roots else self._computed_of(value)

    def _computed_of(self, value: Obj) -> Iterable[Obj]:
        held = () if value.holder is None else (value.holder,)
        return *self.runs.sources.get(value, ()), *held, *(value.items or ())

    # --- values -------------------------------------------------------------------------------------

    def _origin(self, value: Obj) -> Origin | None:
        """The origin of a value; None for a value whose origin is being looked for: it adds nothing."""
        if value in self._under:
            return None
        self._steps += 1
        if self._steps > _MAX_STEPS:
            return UNKNOWN
        self._under.add(value)
        found = self._of_value(value)
        self._under.discard(value)
        return found

    def _of_value(self, value: Obj) -> Origin | None:
        value = value.uncompiled()
        kind = value.kind
        if value.param:
            return UNKNOWN  # the caller's
        if value.alts:
            return _all(self._origin(one) for one in value.alts)
        if kind == "module":
            root = value.root()
            return self._of_class(root.cls.scope) if root.cls is not None else _if(made_by(root.name))
        if kind == "tensor":
            return _if(value.proven and value.name != "moved batch")
        if kind == "element":
            return _if(_collates_by_default(value))
        if kind == "instance" and value.cls is not None:
            return self._of_class(value.cls.scope)
        if kind == "import":
            return self._of_import(value)
        if kind in ("unknown", "part"):
            return self._of_unknown(value)
        return _if(kind == "wrapper")

    def _of_unknown(self, value: Obj) -> Origin | None:
        if made_by(value.made):
            return TORCH
        maker = self._maker(value)
        if maker is not None:
            return self._of_class(maker) if maker.is_class else self._of_result(maker)
        if value.operands:  # of numbers and lists it has no .cuda(); of objects of other classes, who knows
            return _if(TORCH in map(self._origin, value.operands))
        if value.holder is not None:
            return self._of_item(value.holder, value.value)
        slot = self.runs.slots.get(value)
        if slot is not None:
            return self._of_slot(*slot)
        starred = self._starred(value.name) if isinstance(value.origin, ast.Call) else ()
        return OWN if any(self._of_class(cls) == OWN for cls in starred) else UNKNOWN

    def _starred(self, name: str) -> Iterator[Scope]:
        """The classes that a name may be through a star import. It may be another object too, so they can only prevent a fix."""
        for stmt in self._tree.stmts.values() if self._tree.root.star_import else ():
            node = stmt.node
            if isinstance(node, ast.ImportFrom) and node.names[0].name == "*":
                base = "." * node.level + (node.module or "")
                found = self._find(base + name if base.endswith(".") else f"{base}.{name}", self._tree)
                if found is not None and found.kind == "class" and found.scope is not None:
                    yield found.scope

    def _of_import(self, value: Obj) -> Origin | None:
        found = self._find(value.name, value.scope.tree if value.scope is not None else self._tree)
        return (
            self._origin(self.runs.value_in(found.tree, found.value)) if found and found.value is not None else UNKNOWN
        )

    # --- classes and functions -------------------------------------------------------------------------

    def _find(self, name: str, tree: Tree) -> Definition | None:
        home = self._context.home if tree is self._tree else tree.home
        return home.find(name) if home is not None else None

    def _maker(self, value: Obj) -> Scope | None:
        """The class or function of the repository whose call gives a value: where the run found none, by its name, of a class's method too."""
        if value.maker is not None or not value.made:
            return value.maker
        found = self._find(value.made, self._tree)
        if found is not None:
            return found.scope
        head, _, method = value.made.rpartition(".")
        cls = self._find(head, self._tree) if head else None
        if cls is None or cls.scope is None or cls.kind != "class":
            return None
        return class_info(cls.scope, self._classes).methods.get(method)

    def _of_class(self, cls: Scope) -> Origin:
        """An instance of a class."""
        info = class_info(cls, self._classes)
        if self._move in info.own_moves or "to" in info.own_moves:
            return OWN
        if not info.is_module and cls.tree is self._tree and self._tree.home is None:
            # the summary has not looked into other files
            found = [self._find(base, cls.tree) for base in info.bases]
            given = [
                self._of_class(d.scope) for d in found if d is not None and d.kind == "class" and d.scope is not None
            ]
            return OWN if OWN in given else TORCH if TORCH in given else UNKNOWN
        return _if(info.is_module)

    def _summary(self, function: Scope) -> Obj | None:
        """The result of a function; None where it may be another one, or none at all."""
        node = function.node
        if not isinstance(node, ast.FunctionDef) or "yield" in function.tree.text(function):
            return None
        return self.runs.result(function) if not decorated(function) and gives_something(function) else None

    def _of_result(self, function: Scope) -> Origin | None:
        value = self._summary(function)
        return self._origin(value) if value is not None else UNKNOWN

    # --- attributes and items -------------------------------------------------------------------------

    def _of_slot(self, home: Scope, attr: str) -> Origin | None:
        """The origin of all values that the file stores in an attribute of a class's instances, or of a function."""
        return _all(self._origin(value) for value in self._stored(home, attr))

    def _stored(self, home: Scope, attr: str) -> Iterator[Obj]:
        """The values that an attribute is set to; one that is not known among them, where one is not."""
        if home.is_class:
            stores = stores_of(self._stores, attr, home)
        else:
            known = stores_in(home.tree, self._stores).of(attr)
            stores = [store for store in known if store.cls is None and store.text == f"{home.name}.{attr}"]
        for store in stores:
            values = self.values(store.value, store.scope) if store.value is not None else ()
            yield from values or (Obj("unknown"),)
        if not stores:
            yield Obj("unknown")

    def _of_item(self, holder: Obj, key: object) -> Origin | None:
        """An item of a container, of the result of a function, or of a tensor."""
        if holder in self._holding:
            return None
        self._holding.add(holder)
        found = self._find_item(holder, key)
        self._holding.discard(holder)
        return found

    def _find_item(self, holder: Obj, key: object) -> Origin | None:
        if holder.items is not None and isinstance(key, int) and key < len(holder.items):
            return self._origin(holder.items[key])
        if holder.alts:
            return _all(self._of_item(one, key) for one in holder.alts)
        maker = self._maker(holder)
        if maker is not None and maker.is_function:
            result = self._summary(maker)
            return self._of_item(result, key) if result is not None else UNKNOWN
        pairs = holder.holder
        if pairs is not None and pairs.attr == "items":
            return self._of_content(pairs) if key == 1 else UNKNOWN
        slot = self.runs.slots.get(holder)
        if slot is not None:
            stored = [self._of_item(value, key) for value in self._stored(*slot)]
            return _all([*stored, self._of_content(holder)]) if TORCH in stored else UNKNOWN
        if holder.content is not None and not holder.made:
            return self._of_content(holder)
        return _if(self._origin(holder) == TORCH)

    def _of_content(self, container: Obj) -> Origin | None:
        """The origin of all items that the file puts into a container, under any attribute that holds it."""
        self._reach(container)
        attributes = [name for owner, name in self.runs.holders.get(container, ()) if owner is None]
        held = [container, *(value for name in attributes for value in self.runs.through.get(name, ()))]
        if any(value.content is None for value in held):
            return UNKNOWN
        return _all(self._origin(item) for value in dict.fromkeys(held) for item in value.content or ())

    def _reach(self, container: Obj) -> None:
        """Run all functions of the file that read a name or an attribute of a container: they may put an item into it."""
        done: set[tuple[Scope | None, str]] = set()
        while container.content is not None:
            names = self.runs.holders.get(container, set()) - done
            if not names:
                return
            done |= names
            for owner, name in names:
                for stmt in self._reading(owner, name):
                    if stmt.scope.is_function:
                        self.runs.result(stmt.scope)

    def _reading(self, owner: Scope | None, name: str) -> Iterable[Stmt]:
        index = self._context.index
        if owner is None:
            return [stmt for _, _, stmt in index.attributes(lambda attr: attr == name)]
        return [stmt for _, stmt in index.read(name) if stmt.scope.lookup(name) is owner]


def _collates_by_default(element: Obj) -> bool:
    """Whether a part of a batch, or of a part of one, is of a loader that makes its batches by `default_collate`. That raises TypeError for
    objects of other classes, so a part that has a `.cuda()` is a tensor (torch/utils/data/_utils/collate.py)."""
    loader: Obj | None = element
    while loader is not None and loader.is_element:
        loader = loader.base
    return loader is not None and _has_no_collate_function(loader)


def _has_no_collate_function(loader: Obj) -> bool:
    """Whether a value is a DataLoader that makes its batches by `default_collate`, on every path."""
    if loader.alts:
        return all(map(_has_no_collate_function, loader.alts))
    call = loader.origin
    if loader.kind != "loader" or loader.name != "torch.utils.data.DataLoader" or not isinstance(call, ast.Call):
        return False
    options = {keyword.arg: keyword.value for keyword in call.keywords}
    if (
        None in options
        or "collate_fn" in options
        or len(call.args) > 6
        or any(isinstance(a, ast.Starred) for a in call.args)
    ):
        return False
    size = call.args[1] if len(call.args) > 1 else options.get("batch_size")
    return not is_literal(size, None)  # without a size nothing is collated


def _lies_on_host(value: Obj) -> bool:
    if value.kind != "tensor":
        return False
    known = value.place is not None and value.place.is_host
    return known or (bool(value.alts) and all(map(_lies_on_host, value.alts)))


def _if(torch: bool) -> Origin:
    return TORCH if torch else UNKNOWN


def _all(origins: Iterable[Origin | None]) -> Origin | None:
    """TORCH where all of them are; OWN where one is; None adds nothing, and is the answer where there is nothing else."""
    found = {origin for origin in origins if origin is not None}
    if len(found) < 2:
        return next(iter(found), None)
    return OWN if OWN in found else UNKNOWN
