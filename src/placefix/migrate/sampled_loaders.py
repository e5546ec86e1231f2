"""The loaders of the training data: each process reads its share, in the order of the epoch."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from placefix.diagnostic import Insert
from placefix.facts.program.ast_names import dotted, is_literal, unpacks
from placefix.facts.program.ast_walk import walk
from placefix.migrate import obstacles
from placefix.migrate.observations import Observations
from placefix.migrate.training_loops import TrainingLoops

if TYPE_CHECKING:
    from placefix.facts.context import AnalysisContext
    from placefix.facts.interpret.values import Obj
    from placefix.facts.program.tree import Stmt
    from placefix.migrate.observations import Sighting
    from placefix.migrate.plan import Plan
    from placefix.migrate.training_loops import TrainingLoop

_LOADER = "torch.utils.data.DataLoader"
_ORDERS = frozenset(
    f"torch.utils.data{module}.{name}" for module in ("", ".sampler") for name in ("RandomSampler", "SequentialSampler")
)
_PARAMETERS = ("dataset", "batch_size", "shuffle", "sampler", "batch_sampler")
_TERMS = (ast.Name, ast.Attribute, ast.Constant, ast.Call, ast.Subscript)


class SampledLoaders:
    """Splits the training data of one file."""

    def __init__(self, context: AnalysisContext) -> None:
        self.context = context
        self.seen = context.get(Observations)
        self.loops = context.get(TrainingLoops).all

    def plan(self, plan: Plan) -> None:
        """Add a DistributedSampler to each training loader, split its batches, and set the epoch."""
        statements = dict(self.context.index.calls)
        for call in dict.fromkeys(loop.loader.origin for loop in self.loops):
            stmt = statements.get(call) if isinstance(call, ast.Call) else None
            if not isinstance(call, ast.Call) or stmt is None:
                loop = next(loop for loop in self.loops if loop.loader.origin is call)
                plan.stop(loop.stmt, obstacles.LOADER_ELSEWHERE())
            elif self.context.tree.qualname(call.func, stmt.scope) != _LOADER:
                plan.stop(call, obstacles.LOADER_ELSEWHERE())
            else:
                self._split(call, stmt, plan)
        epochs: dict[tuple[Stmt, str], None] = {}
        for loop in self.loops:
            text = self._sampler_owner(loop, plan) if loop.epochs is not None else ""
            if loop.epochs is not None and text:
                epochs[loop.epochs, text] = None
        for loop_stmt, text in epochs:
            node = loop_stmt.node
            assert isinstance(node, ast.For)
            assert isinstance(node.target, ast.Name)
            first = self.context.span(loop_stmt.suites[0].stmts[0])
            plan.edits.append(Insert(first, f"if distributed:\n    {text}.sampler.set_epoch({node.target.id})"))

    def _split(self, call: ast.Call, stmt: Stmt, plan: Plan) -> None:
        if unpacks(call):
            plan.stop(call, obstacles.LOADER_ARGUMENTS())
            return
        given = dict(zip(_PARAMETERS, call.args, strict=False))
        given.update({keyword.arg: keyword.value for keyword in call.keywords if keyword.arg is not None})
        for option in ("sampler", "batch_sampler"):
            known = option == "sampler" and self._order(given, stmt) is not None
            if option in given and not known and not is_literal(given[option], None):
                plan.stop(given[option], obstacles.LOADER_SAMPLER(option=option))
                return
        size = given.get("batch_size")
        if size is None or is_literal(size, 1) or is_literal(size, None) or "dataset" not in given:
            plan.stop(call, obstacles.LOADER_BATCH())
            return
        if any(_is_stream(s.value) for s in self.seen.of(given["dataset"])):
            plan.stop(call, obstacles.LOADER_STREAM())
            return
        text = self.context.text(size)
        plan.replace(size, f"{text if isinstance(size, _TERMS) else f'({text})'} // world_size")
        data = self._dataset(given["dataset"], stmt, plan)
        self._sample(call, given, data, self._order(given, stmt), plan)
        plan.imports["from torch.utils.data.distributed import DistributedSampler"] = None

    def _order(self, given: dict[str, ast.expr], stmt: Stmt) -> str | None:
        """The name of a sampler that gives each item of the dataset once, RandomSampler or SequentialSampler; None for others."""
        sampler, data = given.get("sampler"), given.get("dataset")
        if isinstance(sampler, ast.Name):
            writes = self.context.index.written(sampler.id)
            sampler = writes[0].value if len(writes) == 1 and writes[0].stmt.scope is stmt.scope else None
        if not isinstance(sampler, ast.Call) or data is None or len(sampler.args) != 1 or sampler.keywords:
            return None
        name = self.context.tree.qualname(sampler.func, stmt.scope) or ""
        same = self.context.text(sampler.args[0]) == self.context.text(data)
        return name.rpartition(".")[2] if same and name in _ORDERS else None

    def _dataset(self, data: ast.expr, stmt: Stmt, plan: Plan) -> str:
        """A name of the dataset; a new one, if it has none."""
        text = self.context.text(data)
        if dotted(data):
            return text
        target = stmt.node.targets[0] if isinstance(stmt.node, ast.Assign) else None
        stem = target.id.removesuffix("loader") if isinstance(target, ast.Name) else "training"
        stem = stem.removesuffix("_").removesuffix("data").removesuffix("_")
        name = plan.fresh(f"{stem}_data" if stem else "training_data")
        plan.edits.append(Insert(self.context.span(stmt), f"{name} = {text}", "under"))
        plan.replace(data, name)
        return name

    def _sample(self, call: ast.Call, given: dict[str, ast.expr], data: str, order: str | None, plan: Plan) -> None:
        """Give a loader the sampler of its process. order: the name of the sampler that it has."""
        shuffle = given.get("shuffle")
        option = "" if order == "RandomSampler" else ", shuffle=False"
        if shuffle is not None and not is_literal(shuffle, False):
            fixed = is_literal(shuffle, True)
            text = self.context.text(shuffle)
            option = "" if fixed else f", shuffle={text}"
            plan.replace(shuffle, "not distributed" if fixed else f"({text}) and not distributed")
        alone = self.context.text(given["sampler"]) if "sampler" in given else "None"
        sampler = f"DistributedSampler({data}{option}) if distributed else {alone}"
        if "sampler" in given:
            plan.replace(given["sampler"], sampler)
            return
        last = call.keywords[-1].value if call.keywords else call.args[-1]
        plan.replace(last, f"{plan.text(last)}, sampler={sampler}")

    def _sampler_owner(self, loop: TrainingLoop, plan: Plan) -> str:
        """The expression of a loader in the loop over the epochs, "" with an obstacle if it has none there."""
        epochs = loop.epochs
        assert epochs is not None
        node = epochs.node
        if not isinstance(node, ast.For) or not isinstance(node.target, ast.Name):
            plan.stop(epochs, obstacles.EPOCH_LOOP())
            return ""
        for expr, sightings in self.seen.seen.items():
            text = dotted(expr)
            if not text or not all(s.value is loop.loader for s in sightings):
                continue
            if any(self._is_visible(expr, s, epochs) for s in sightings) and not self._is_bound_in(epochs, text):
                return text
        plan.stop(loop.stmt, obstacles.EPOCH_LOADER(line=node.lineno))
        return ""

    def _is_visible(self, expr: ast.expr, sighting: Sighting, loop: Stmt) -> bool:
        """Whether an expression means the same in a loop: it is in the loop, a name that both see, or an attribute of one object."""
        if not sighting.stack:
            return False
        stmt = sighting.stack[-1].stmt
        if loop.holds(stmt):
            return True
        owner = expr
        while isinstance(owner, ast.Attribute):
            owner = owner.value
        if not isinstance(owner, ast.Name):
            return False
        scope = stmt.scope.lookup(owner.id)
        return scope is not None and (loop.scope.lookup(owner.id) is scope or self._is_one_object(owner, loop))

    def _is_one_object(self, name: ast.Name, loop: Stmt) -> bool:
        """Whether a name of another function is the same object as the same name in a loop, wherever both are read."""
        inner = [node for node in walk(loop.node) if isinstance(node, ast.Name) and node.id == name.id]
        values = {sighting.value.root() for node in (name, *inner) for sighting in self.seen.of(node)}
        return len(values) == 1 and any(self.seen.of(node) for node in inner)

    def _is_bound_in(self, loop: Stmt, text: str) -> bool:
        """Whether a loop binds a name or dotted text."""
        return any(loop.holds(write.stmt) for write in self.context.index.written(text))


def _is_stream(value: Obj) -> bool:
    """Whether a dataset has no length: it is an IterableDataset."""
    bases = value.cls.bases if value.cls is not None else ()
    return any(name.endswith("IterableDataset") for name in (value.name, *bases))
