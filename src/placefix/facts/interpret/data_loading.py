"""Data sets, loaders and batches in the abstract interpreter."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from placefix.facts import premises
from placefix.facts import torch_api as api
from placefix.facts.interpret.interpreter_base import Machine
from placefix.facts.interpret.values import HOST, UNKNOWN_PLACE, Obj, made_of
from placefix.facts.program.ast_names import is_literal
from placefix.facts.program.ast_walk import walk
from placefix.torch_model import libraries

if TYPE_CHECKING:
    from placefix.facts.interpret.interpreter_base import Arguments
    from placefix.facts.program.tree import Scope

# A data set whose parts are moved after it was made.
PLACED = "placed"


def _reads_host(options: dict[str, tuple[ast.expr, Obj]]) -> bool:
    """Whether the options of a loader work with tensors of the CPU only: worker processes, pinned memory."""
    workers = options["num_workers"][1] if "num_workers" in options else None
    if workers is not None and workers.is_constant and isinstance(workers.value, int) and workers.value > 0:
        return True
    return "pin_memory" in options and options["pin_memory"][1].value is True


def _is_of_tensors(dataset: Obj | None) -> bool:
    """Whether a data set is made of known tensors."""
    return dataset is not None and dataset.kind == "dataset" and dataset.items is not None


class Data(Machine):
    """Evaluates data sets and loaders: the structure of their batches, and the device of each tensor."""

    def makes_tensor(self, expr: ast.expr) -> bool:
        """Whether a transform expression (or the variable it names) contains ToTensor."""
        for part in walk(expr):
            if isinstance(part, (ast.Name, ast.Attribute)) and libraries.gives_tensor(
                self.tree.qualname(part, self.scopes_active[-1])
            ):
                return True
        if isinstance(expr, ast.Name):
            owner = self.scopes_active[-1].lookup(expr.id)
            for binding in owner.bindings.get(expr.id, ()) if owner is not None else ():
                if (
                    isinstance(binding, ast.Assign)
                    and not isinstance(binding.value, ast.Name)
                    and self.makes_tensor(binding.value)
                ):
                    return True
        return False

    def loader(self, name: str, node: ast.Call, args: Arguments) -> Obj:
        """A DataLoader, proven where it yields tensors of the CPU; unknown where its data set or function may place them."""
        given, dataset = next(((e, v) for k, e, v in args if k in (None, "dataset")), (None, None))
        if given is not None and dataset is not None and self._holds_placed(given, dataset):
            return Obj("unknown", node, name=name)
        if dataset is not None and dataset.kind == "views":
            dataset = dataset.base
        options = {k: (e, v) for k, e, v in args if k}
        proven = _reads_host(options) or (dataset is not None and self.dataset_is_host(dataset))
        collate, function = options.get("collate_fn", (None, None))
        if function is not None and not is_literal(collate, None):
            if self._may_place(function, node, options):
                return self._loader_that_places(function, node, name)
            dataset = None  # the function decides the structure of a batch
        if "generator" in options and "cuda" in self.source.code(options["generator"][0]):
            proven = False
        assumed = () if proven else (premises.LOADER_YIELDS_CPU,)
        result = Obj("loader", node, base=dataset, name=name, premises=assumed)
        _, pins = options.get("pin_memory", (None, None))
        _, result.sampler = options.get("sampler", (None, None))
        result.value = pins.value if pins is not None else None
        result.members = ()
        return result

    def _code_of(self, function: Obj) -> Scope | None:
        """The code of a function of the file or of another file of the repository."""
        if function.kind in ("function", "method"):
            return function.scope
        found = self.found(function.name, function.scope) if function.is_import else None
        return found.scope if found is not None and found.kind == "function" else None

    def _may_place(self, function: Obj, node: ast.Call, options: dict[str, tuple[ast.expr, Obj]]) -> bool:
        """Whether the function that makes the batches of a loader may place them; records those that are shown to be on a device."""
        code = self._code_of(function)
        if code is not None and function.scope is code and not self._places(code):
            return False
        if code is not None and _reads_host(options):
            self._collate(code, function.base, node, options)
        return True

    def _collate(
        self, code: Scope, owner: Obj | None, node: ast.Call, options: dict[str, tuple[ast.expr, Obj]]
    ) -> None:
        """Record the tensors on a device in the batches that a function of a loader makes, by running it in a copy of the state."""
        batch, fields = self._run_apart(code, owner)
        placed = tuple(part for part in (*self.flatten(batch), *fields.values()) if self.on_device(part))
        if placed:
            pins = options["pin_memory"][1].value if "pin_memory" in options else None
            self.event("collated", node, Obj("loader", node, value=pins), args=placed)

    @staticmethod
    def _loader_that_places(function: Obj, node: ast.Call, name: str) -> Obj:
        """A loader whose batches are the results of a function of the file that places some of its tensors; unknown for other functions."""
        code = function.scope if function.kind == "function" else None
        return Obj("unknown" if code is None else "loader", node, name=name, scope=code)

    def _run_apart(self, scope: Scope, owner: Obj | None = None) -> tuple[Obj, dict[tuple[Obj, str], Obj]]:
        """The batch that a function gives of samples of which nothing is known, and the fields of the batch, by running the function in a
        copy of the state."""
        if scope in self.scopes_active or (scope.tree is not self.own and not self.may_follow(scope)):
            return Obj("unknown", scope.node), {}
        before = self.state
        self.state = before.copy()
        result = self.call_scope(scope, owner)
        fields = {slot: value for slot, value in self.state.fields.items() if slot[0] is result}
        self.state = before
        return result, fields

    def _holds_placed(self, expr: ast.expr, dataset: Obj) -> bool:
        """Whether a data set has parts that were moved after it was made, or a data set of unknown class is made from tensors
        on a device: ``list(zip(x, y))``."""
        if dataset.kind in ("dataset", "instance", "views"):
            return PLACED in (dataset.value, dataset.base.value if dataset.base is not None else None)
        if isinstance(expr, ast.Name):
            owner = self.scopes_active[-1].lookup(expr.id)
            bound = owner.bindings.get(expr.id, ()) if owner is not None else ()
            if len(bound) == 1 and isinstance(bound[0], ast.Assign):
                expr = bound[0].value
        names = [part for part in walk(expr) if isinstance(part, ast.Name)]
        own = {name.id for name in names if isinstance(name.ctx, ast.Store)}  # of comprehensions
        values = [self.lookup(name.id) for name in names if name.id not in own]
        return any(
            self.on_device(item) for value in values if value is not None for item in (value, *(value.items or ()))
        )

    def _places(self, scope: Scope, depth: int = 0) -> bool:
        """Whether a function, or one of the file that it calls, may place its tensors."""
        for node in scope.nodes:
            if isinstance(node, ast.Attribute) and node.attr in (*api.PLACING, "device"):
                return True
            if isinstance(node, ast.keyword) and node.arg == "device":
                return True
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
                owner = scope.lookup(node.func.id)
                inner = owner.functions.get(node.func.id) if owner is not None else None
                if inner is not None and inner is not scope and (depth > 2 or self._places(inner, depth + 1)):
                    return True
        return False

    def dataset_is_host(self, dataset: Obj) -> bool:
        """Whether all tensors in a data set are known to be on the CPU."""
        if dataset.kind == "dataset":
            if dataset.items is not None:
                return all(i.kind == "tensor" and i.place is not None and i.place.is_host for i in dataset.items)
            return dataset.proven
        if dataset.is_instance and dataset.cls is not None:
            text = "".join(s.tree.text(s) for s in (dataset.cls.scope, *dataset.cls.methods.values()))
            return not any(word in text for word in (".cuda(", ".to(", "device")) and not any(
                v.kind == "tensor" and v.place is not None and not v.place.is_host
                for (owner, _), v in self.state.fields.items()
                if owner is dataset
            )
        return False

    def new_element(self, loader: Obj, node: ast.expr) -> Obj:
        """The batch of one step of a loop over `loader`, collated."""
        if loader.sampler is not None or self.has_wrappers:
            self.event("iterate", node, loader)
        if api.is_graph_loader(loader.name):
            held = Obj("element", node, base=loader, place=HOST, premises=loader.premises, value="tensor")
            held.whole = Obj("encoding", node, name=libraries.GRAPH, base=held)
            return held.whole
        if loader.scope is not None:
            batch, fields = self._run_apart(loader.scope)
            self.state.fields.update(fields)
            return batch
        whole = Obj("element", node, base=loader, place=HOST, premises=loader.premises)
        tensors = _is_of_tensors(loader.base)
        if loader.alts and not tensors:
            sides = [self.new_element(a, node) for a in loader.alts]
            return whole if all(s.is_element for s in sides) or sides[0].kind != sides[1].kind else sides[0]
        known = self._batch_of(loader.base, loader, node) if loader.base is not None else None
        if known is not None:
            placed = tuple(part for part in (known, *(known.items or ())) if self.on_device(part))
            if placed:
                self.event("batch", node, loader, args=placed)
        return known or whole

    def _batch_of(self, dataset: Obj, loader: Obj, node: ast.expr) -> Obj | None:
        """The batch of the items of a data set; None if their structure is not known."""
        if _is_of_tensors(dataset):
            items = []
            for item in dataset.items or ():
                known = item.place if item.kind == "tensor" else UNKNOWN_PLACE
                items.append(Obj("element", node, base=loader, place=known, premises=loader.premises, value="tensor"))
            return Obj("list", node, items=tuple(items))
        if dataset.proven and api.is_image_classification_dataset(dataset.name):
            two = tuple(
                Obj("element", node, base=loader, place=HOST, premises=loader.premises, value="tensor", attr=str(i))
                for i in range(2)
            )
            return Obj("list", node, items=two)
        if dataset.is_instance and dataset.cls is not None and "__getitem__" in dataset.cls.methods:
            return self.sample(dataset, loader, node)
        return None

    def sample(self, dataset: Obj, loader: Obj, node: ast.expr) -> Obj:
        """The batch made from items `dataset[i]`, by running __getitem__ in a copy of the state."""
        assert dataset.cls is not None
        scope = dataset.cls.methods["__getitem__"]
        if scope in self.scopes_active or (scope.tree is not self.own and not self.may_follow(scope)):
            return Obj("unknown", scope.node)
        before = self.state
        self.state = before.copy()
        fields = self.inits.get(dataset)
        if fields is not None:
            for slot, value in fields.fields.items():
                self.state.fields.setdefault(slot, value)
        inner = self.call_scope(scope, dataset)
        made: dict[tuple[Obj, str], Obj] = {}
        result = self.collated(inner, loader, node, made)
        self.state = before
        self.state.fields.update(made)
        return result

    def collated(self, sample: Obj, loader: Obj, node: ast.expr, made: dict[tuple[Obj, str], Obj]) -> Obj:
        """The batch default_collate makes of such samples; fields of new objects go to `made`."""
        if sample.kind == "tuple" and sample.items is not None:
            return Obj("list", node, items=tuple(self.collated(i, loader, node, made) for i in sample.items))
        if sample.kind == "dict":
            result = Obj("dict", node)
            items = []
            for (owner, key), value in list(self.state.fields.items()):
                if owner is sample:
                    item = self.collated(value, loader, node, made)
                    made[result, key] = item
                    items.append(item)
            result.items = tuple(items) if items else None
            return Obj("element", node, base=loader, place=HOST, premises=loader.premises) if not items else result
        tensor = sample.kind == "tensor" or (sample.is_constant and isinstance(sample.value, (int, float)))
        place = HOST
        if sample.kind == "tensor" and sample.place is not None and not sample.place.is_host:
            place = sample.place
        elif not tensor and not loader.proven:
            place = UNKNOWN_PLACE  # the data set places something, perhaps this
        assumed = loader.premises if place is HOST else (premises.LOADER_YIELDS_CPU,)
        return Obj("element", node, base=loader, place=place, premises=assumed, value="tensor" if tensor else None)

    def item_of(self, value: Obj, key: object, node: ast.expr) -> Obj:
        """One item of a value that is unpacked or subscripted."""
        if value.is_sequence and value.items is not None and isinstance(key, int) and key < len(value.items):
            return value.items[key]
        if value.is_element and value.value != "tensor":
            slot = (value, f"[{key!r}]")
            found = self.state.fields.get(slot)
            if found is None:
                found = Obj("element", node, base=value, attr=str(key), place=value.place, premises=value.premises)
                self.state.fields[slot] = found
            return found
        if value.is_tensor_like:
            known = value.items[key] if isinstance(key, int) and value.items and key < len(value.items) else value
            if known is not value:
                return known  # that `forward` makes on the CPU
            item = self.tensor_like(value, node)
            if value in self.outputs:
                self.returned.add(item)
            return item
        if value.kind == "views" and value.base is not None:
            return value.base
        if value.kind in ("list", "generated") and value.items is None and value.base is not None:
            return self.any_item(value, value.base)
        return Obj("unknown", node, members=made_of(value), whole=value if value.is_unknown else None)

    def any_item(self, container: Obj, item: Obj) -> Obj:
        """An item of a container whose items all are like `item`. Values of unknown kind that were moved are several objects."""
        if not item.is_unknown:
            return item
        one = Obj("unknown", item.origin, members=container.members)
        place = self.state.place.get(item)
        if place is not None:
            self.state.place[one] = place
        return one

    def assign_item(self, base: Obj, key: ast.expr, value: Obj) -> None:
        """``base[key] = value``: update the known items of a container."""
        if base.kind not in ("dict", "list", "element") or base.value == "tensor":
            return
        if isinstance(key, ast.Constant):
            self.state.fields[base, f"[{key.value!r}]"] = value
            base.base = None if not base.is_element else base.base
            base.items = None
            return
        base.kind, base.items, base.base = "unknown", None, None  # on every path: which item changes is not known
