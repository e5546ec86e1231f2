"""Random numbers that all processes have to draw alike: of the data and their splits."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from placefix import torch_model
from placefix.facts.context import FileAnalysis, requires
from placefix.facts.program.ast_names import called_name
from placefix.migrate import obstacles
from placefix.migrate.batch_scale import BatchScales
from placefix.migrate.observations import Observations
from placefix.migrate.training_loops import TrainingLoops

if TYPE_CHECKING:
    from placefix.facts.program.tree import Stmt
    from placefix.migrate.plan import Plan

_SPLITS = ("torch.utils.data.random_split", "sklearn.model_selection.train_test_split")
_SEEDS = {"numpy.random.": "numpy.random.seed", "random.": "random.seed"}
_TORCH_SEED = "torch.manual_seed"
_OWN_SEEDS = frozenset(("generator", "random_state"))


class SharedDraws(FileAnalysis):
    """The random numbers of one file outside of its training loops and classes."""

    seen = requires(Observations)
    loops = requires(TrainingLoops)
    scales = requires(BatchScales)

    def plan(self, plan: Plan) -> None:
        """Note the draws that no seed makes equal in all processes."""
        called = {name for _, _, name in self.context.index.named}
        for call, stmt, name in self.context.index.named:
            seed = _seed_of(name) if name is not None else ""
            if seed and seed not in called and not self._is_apart(call, stmt):
                plan.stop(call, obstacles.UNSEEDED(name=self.context.text(call.func), seed=seed))
            if seed in called and self._is_of_samples(call, stmt):
                plan.stop(call, obstacles.DRAWN_ALIKE(name=self.context.text(call.func), seed=seed))
        for call, stmt in self.context.index.calls:
            method = torch_model.method(called_name(call)) if isinstance(call.func, ast.Attribute) else None
            drawn = method is not None and "random" in method.marks and self.seen.is_tensor(call.func.value)  # type: ignore[attr-defined]
            if drawn and _TORCH_SEED in called and self._is_of_samples(call, stmt):
                plan.stop(call, obstacles.DRAWN_ALIKE(name=called_name(call), seed=_TORCH_SEED))

    def _is_of_samples(self, call: ast.Call, stmt: Stmt) -> bool:
        """Whether a training loop draws a number for each sample outside of the model."""
        owner = stmt.scope.parent
        if not self.loops.runs(stmt) or (
            owner is not None and owner.is_class and self.seen.class_info(owner).is_module
        ):
            return False
        return self.scales.of(call, stmt) == "each"

    def _is_apart(self, call: ast.Call, stmt: Stmt) -> bool:
        """Whether a draw has a seed, or may differ: it is of a step, of a sample or of a model, which is broadcast."""
        if any(keyword.arg in _OWN_SEEDS for keyword in call.keywords) or self.loops.runs(stmt):
            return True
        return stmt.scope.is_class or stmt.scope.cls is not None


def _seed_of(name: str) -> str:
    """The function that seeds the random numbers which a function draws, "" if it draws none."""
    if name == _SPLITS[0] or torch_model.is_random(name):
        return _TORCH_SEED
    if name == _SPLITS[1]:
        return "numpy.random.seed"
    found = (seed for prefix, seed in _SEEDS.items() if name.startswith(prefix) and name != seed)
    return next(found, "")
