"""The migration of a training script from DataParallel to DistributedDataParallel.

It is a reviewed rewrite of one script, with the analyses and the writer of the rules. A script that is not proven eligible is not changed:
each reason against it is an `Obstacle` at a place.
"""

from __future__ import annotations

import difflib
import os
from typing import TYPE_CHECKING, NamedTuple

from placefix import engine, files, writer
from placefix.discover import Target, discover
from placefix.engine import Changed
from placefix.facts.finding import fix_of
from placefix.migrate import obstacles
from placefix.migrate.batch_metrics import BatchMetrics
from placefix.migrate.main_process import MainProcess
from placefix.migrate.observations import Observations
from placefix.migrate.plan import Obstacle, Plan
from placefix.migrate.process_group import ProcessGroup
from placefix.migrate.sampled_loaders import SampledLoaders
from placefix.migrate.shared_draws import SharedDraws
from placefix.migrate.training_loops import TrainingLoops
from placefix.migrate.wrapped_models import WrappedModels
from placefix.recursion import retry_deeper
from placefix.rules.registry import context_of
from placefix.runner import FileResult, Repositories, RunError, decode_target, is_notebook
from placefix.writer import RewriteError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from placefix.config import Configs
    from placefix.diagnostic import Rule
    from placefix.facts.program.repository import Home
    from placefix.settings import Settings
    from placefix.source import Source

__all__ = ["FileMigration", "Migration", "Refusal", "migrate", "migrate_file"]


class Refusal(NamedTuple):
    """A reason against a migration. row: 1-based, of the unchanged script."""

    row: int
    text: str


class Migration(NamedTuple):
    """The new text of a script, or the reasons why it has none."""

    text: str
    refusals: tuple[Refusal, ...] = ()


class FileMigration(NamedTuple):
    """The migrated file, which is not written yet, or the reasons why there is none."""

    result: FileResult | None
    refusals: tuple[Refusal, ...] = ()


def migrate_file(path: str, configs: Configs, *, synchronised: bool = False) -> FileMigration:
    """Migrate a script; nothing is written. synchronised: as in `migrate`.

    Raises files.FileError, SourceError, engine.ParseError, and RunError if the path is no script.
    """
    target = next(iter(discover([path], configs)), None)
    if not isinstance(target, Target) or target.absolute != os.path.abspath(path):
        raise RunError(target.reason if target is not None and not isinstance(target, Target) else "is no script")
    if is_notebook(path):
        raise RunError("a notebook is one process; only scripts are migrated")
    data = files.read(target.path)
    source = decode_target(target, data)
    if source.encode(source.text) != data:
        raise RunError(f"the encoding {source.encoding} does not give back the same bytes")
    source.limit = target.config.settings.line_length
    rules = target.config.rules_for(target.absolute)
    home = Repositories([path]).home(target.absolute)
    found = migrate(source, target.config.settings, rules, home, synchronised=synchronised)
    if found.refusals:
        return FileMigration(None, found.refusals)
    return FileMigration(FileResult(target, Changed(found.text, (), ()), source))


def migrate(
    source: Source, settings: Settings, rules: Sequence[Rule], home: Home | None = None, *, synchronised: bool = False
) -> Migration:
    """Migrate a script to DistributedDataParallel, after the safe fixes of `rules`.

    home: the file's place in its repository. synchronised: convert layers of batch normalisation to SyncBatchNorm. Raises
    engine.ParseError.
    """
    return retry_deeper(lambda: _migrate(source, settings, rules, home, synchronised))


def _migrate(
    source: Source, settings: Settings, rules: Sequence[Rule], home: Home | None, synchronised: bool
) -> Migration:
    engine.parse(source)
    fixed = engine.fix(source, settings, rules, home=home)
    current = source.with_text(fixed.text) if isinstance(fixed, Changed) else source
    tree = engine.parse(current)
    context = context_of(current, tree, settings, home)
    plan = Plan(context)
    context.get(Observations)
    models, output = context.get(WrappedModels), context.get(MainProcess)
    models.plan(plan, synchronised=synchronised)
    if models.events:
        context.get(TrainingLoops).stop(plan)
        context.get(SampledLoaders).plan(plan)
        context.get(SharedDraws).plan(plan)
        output.plan_checkpoints(plan)
        output.plan_output(plan)
        context.get(BatchMetrics).plan(plan)
        context.get(ProcessGroup).plan(plan)
    text = ""
    if not plan.obstacles:
        fix = fix_of(plan.finished(), "migrate to DistributedDataParallel")
        try:
            result = writer.apply(current, tree, [fix])
            after = current.with_text(result.text)
            writer.verify(tree, engine.parse(after), [fix])
            text = result.text
            for _, reason in result.refused:
                plan.stop(None, obstacles.UNWRITABLE(reason=reason))
        except RewriteError as error:
            plan.stop(None, obstacles.UNWRITABLE(reason=str(error)))
    refusals = _refusals(plan, source, current)
    context.release()
    return Migration("" if refusals else text, refusals)


def _refusals(plan: Plan, source: Source, current: Source) -> tuple[Refusal, ...]:
    """The obstacles at the rows of the script as it was before the fixes."""
    found = dict.fromkeys(Refusal(_row(obstacle, source, current), obstacle.reason.text) for obstacle in plan.obstacles)
    return tuple(sorted(found))


def _row(obstacle: Obstacle, source: Source, current: Source) -> int:
    row = current.line_of(obstacle.offset)
    if current is source:
        return row
    blocks = difflib.SequenceMatcher(None, source.text.splitlines(), current.text.splitlines(), autojunk=False)
    for tag, start, end, new_start, new_end in blocks.get_opcodes():
        if new_start < row <= new_end:
            return start + row - new_start if tag == "equal" else min(start + 1, max(end, 1))
    return row
