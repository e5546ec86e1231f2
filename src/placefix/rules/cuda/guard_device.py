"""The device that is CUDA exactly when the test of a guard is true."""

from __future__ import annotations

import ast
from functools import cached_property
from typing import TYPE_CHECKING

from placefix.facts import premises, reasons
from placefix.facts.devices.device_selection import Devices
from placefix.facts.program.conditions import AVAILABLE, device_asked, one_of_several
from placefix.facts.program.device_values import condition
from placefix.facts.wording import unite
from placefix.rules.cuda.device_agreement import Meets
from placefix.rules.cuda.device_choice import Choice, not_known
from placefix.rules.cuda.gpu_index_guards import apart_from
from placefix.rules.cuda.gpu_index_guards import choice as numbered_choice
from placefix.rules.cuda.input_devices import InputDevices
from placefix.rules.cuda.refusals import Refusals
from placefix.rules.cuda.use_sites import Cuda

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from placefix.diagnostic import Edit
    from placefix.facts.context import AnalysisContext
    from placefix.facts.devices.cuda_uses import Guard, Site
    from placefix.facts.devices.reaching_devices import Reach
    from placefix.facts.program.conditions import Test
    from placefix.facts.program.tree import Scope, Stmt
    from placefix.facts.wording import Premise
    from placefix.rules.cuda.gpu_index_guards import Numbered


class GuardDevices:
    """The devices of a file's guards.

    sites: the moves of each guard, by its node; numbers: of the guards that place on a GPU by its number.
    """

    def __init__(self, context: AnalysisContext, sites: Mapping[ast.AST, Sequence[Site]]) -> None:
        self.context = context
        self.sites = sites
        self.numbers: dict[ast.AST, Numbered] = {}

    def choice(self, guard: Guard, stmt: Stmt, *, make: bool, only: bool = False) -> Choice | None:
        """The device that is CUDA under the guard's very test; None where one would have to be made and may not.

        only: whether nothing else in the function names CUDA, so that other guards need not be considered.
        """
        assert guard.test is not None
        if guard.node in self.numbers:
            return numbered_choice(self.context, self.numbers[guard.node], stmt, make=make)
        test, positive = guard.test, guard.positive
        devices = self.context.get(Devices)
        kept = devices.kept_as(test, stmt)
        reach = devices.at(stmt, condition(test, positive))
        if reach is None and kept is not None:
            reach = devices.at(stmt, condition(kept, positive))
        if reach is None and condition(test, positive) == AVAILABLE:
            alone = (
                r for r in devices.candidates(stmt) if r.meaning.key and devices.tests.is_available_alone(r.meaning.key)
            )
            reach = next(alone, None)
        if reach is not None:
            return self._reached(reach, guard, stmt)
        return self._new(guard, stmt, kept, only=only) if make else None

    def _reached(self, reach: Reach, guard: Guard, stmt: Stmt) -> Choice:
        """A device in scope that is CUDA under the guard's test."""
        meaning = reach.meaning
        if meaning.index is not None and self.context.get(Refusals).selects:
            return Choice(why_not=reasons.NUMBERED_AND_CHOSEN_ELSEWHERE(device=reach.text, index=meaning.index))
        if meaning.test is not None and not self.context.get(Devices).settled(meaning.test, reach.stmt, stmt):
            return Choice(why_not=reasons.FLAG_SET_AGAIN(test=meaning.test.text))
        premise = premises.OTHER_ACCELERATOR_MOVED(device=reach.text) if meaning.wide and not reach.used else None
        return Choice(reach.text, (), unite(premise, *self._other_gpus(reach.text, meaning.index, guard)))

    def _other_gpus(self, device: str, index: int | None, guard: Guard) -> Iterator[Premise | None]:
        """For each use under a guard, why a device of this index may be another GPU than its own."""
        return (self.context.get(Refusals).other_gpu(device, index, site) for site in self.sites.get(guard.node, ()))

    def _new(self, guard: Guard, stmt: Stmt, kept: Test | None, *, only: bool) -> Choice:
        """A new device, or one in scope that is less certain, if none in scope follows the guard's test.

        kept: the attribute that holds the result of the guard's test.
        """
        assert guard.test is not None
        test, positive = guard.test, guard.positive
        devices = self.context.get(Devices)
        key = condition(test, positive)
        if one_of_several(key) and self._placed_for_more(test, stmt):
            return Choice(why_not=reasons.OTHER_CODE_PLACES(test=test.text))
        asked = device_asked(key)
        if asked:
            return self._device_itself(asked, stmt)
        found = self._in_scope(guard, stmt)
        if found is not None:
            return found
        if not only and devices.key_at(stmt) != key:
            main = devices.flag_at(stmt)
            follows = main[0].text if main is not None else "torch.cuda.is_available()"
            return Choice(why_not=reasons.OTHER_GUARDS_DIFFER(test=follows))
        unproven = devices.unproven(stmt)
        apart = "" if unproven in test.reads else unproven
        if apart and not devices.of_a_block(apart, stmt):
            return self._taken(apart, guard, stmt)
        if tensor := self._tensor(guard, stmt.scope):
            return Choice(tensor)
        of_module = self._of_module(guard, stmt)
        if isinstance(of_module, Choice):
            return of_module
        made = self._defined(test, positive, stmt, kept, only=only)
        if made is None:
            return Choice(why_not=reasons.FLAG_NOT_ASSIGNED_YET(test=test.text))
        placed = premises.PLACED_FOR_MORE_GPUS(test=test.text) if one_of_several(key) else None
        others = self._other_gpus(made[0], None, guard)
        return Choice(made[0], made[1], unite(placed, apart_from(apart) if apart else None, of_module, *others))

    def _of_module(self, guard: Guard, stmt: Stmt) -> Choice | Premise | None:
        """Where a method of a module tests a flag of that: the device of a tensor that the values meet, or the premise of a device that
        follows the flag; None for other guards."""
        inputs = self.context.get(InputDevices)
        if guard.test is None or not inputs.is_flag_of_module(guard.test, stmt.scope):
            return None
        sites = self.sites.get(guard.node)
        tensor = inputs.beside_module_flag(sites) if sites else ""
        cls = stmt.scope.cls
        return Choice(tensor) if tensor else premises.FLAG_OF_MODULE(flag=guard.test.text, cls=cls.name if cls else "")

    def _defined(
        self, test: Test, positive: bool, stmt: Stmt, kept: Test | None, *, only: bool
    ) -> tuple[str, tuple[Edit, ...]] | None:
        """The name of a new device for a guard's test and the edits that define it; None where there is no room for it."""
        devices = self.context.get(Devices)
        made = devices.on_self([stmt], (kept, positive)) if kept is not None else None
        made = made or devices.definition([stmt], (test, positive) if only else devices.flag_at(stmt))
        if made is None and condition(test, positive) == AVAILABLE:
            made = devices.definition([stmt], None)
        return made

    def _in_scope(self, guard: Guard, stmt: Stmt) -> Choice | None:
        """A device of the function or object that may follow the guard's test, or does not; None if there is none."""
        assert guard.test is not None
        for reach in self.context.get(Devices).candidates(stmt):
            if reach.meaning.kind not in ("other", "index", "cuda", "none"):
                continue
            if self._beside(reach, stmt) and reach.text not in guard.test.reads:
                other = reach.meaning.kind == "other"
                return self._taken(reach.text, guard, stmt) if other else not_known(reach.text, guard.test)
        return None

    def _tensor(self, guard: Guard, scope: Scope) -> str:
        """The device of a tensor that all values of a guard meet, where every guard of the function has one; else an empty string."""
        inputs = self.context.get(InputDevices)
        sites = self.sites.get(guard.node)
        return inputs.of_guarded(sites) if sites and scope in self._beside_tensors else ""

    @cached_property
    def _beside_tensors(self) -> set[Scope]:
        """The functions in which the moves of all guards have the device of a tensor that they meet."""
        inputs = self.context.get(InputDevices)
        guarded = {sites[0].stmt.scope for sites in self.sites.values()}
        return guarded - {s[0].stmt.scope for s in self.sites.values() if not inputs.of_guarded(s)}

    def _taken(self, device: str, guard: Guard, stmt: Stmt) -> Choice:
        """A device in scope of unknown value, in place of the guard's test: if all moved values meet values
        on it, both were on one device in every run."""
        assert guard.test is not None
        if not self.context.get(Devices).is_bound(device, stmt):
            below = self.context.get(Devices).is_bound_below(device, stmt)
            return not_known(device, guard.test, below=below)
        if all(self.context.get(Meets).beyond(site, device) for site in self.sites.get(guard.node, ())):
            return Choice(device)
        when = "true" if guard.positive else "false"
        return Choice(
            device,
            (),
            (premises.DEVICE_FOLLOWS_TEST(device=device, test=guard.test.text, value=when),),
        )

    def _placed_for_more(self, test: Test, stmt: Stmt) -> bool:
        """Whether another number of GPUs places too, in the same function."""
        for site in self.context.get(Cuda).sites_of(stmt.scope):
            if stmt not in site.stmt.ancestors():
                asked = [self.context.text(a.node.test) for a in site.stmt.ancestors() if isinstance(a.node, ast.If)]
                if not asked or any(name in text and text != test.text for name in test.reads for text in asked):
                    return True
        return False

    def _device_itself(self, text: str, stmt: Stmt) -> Choice:
        """The device whose name the guard compares."""
        reach = next((r for r in self.context.get(Devices).candidates(stmt) if r.text == text), None)
        if reach is None and "." not in text and stmt.scope.lookup(text) is None:
            return Choice(why_not=reasons.DEVICE_NOT_KNOWN_HERE(device=text))
        value = getattr(reach.stmt.node, "value", None) if reach is not None and reach.stmt is not None else None
        if (
            reach is not None
            and reach.meaning.key
            and not (reach.meaning.wide or reach.meaning.index)
            and isinstance(value, ast.IfExp)
        ):
            return Choice(text)  # one of two words
        return Choice(text, (), (premises.CUDA_OR_CPU(device=text),))

    @staticmethod
    def _beside(reach: Reach, stmt: Stmt) -> bool:
        """Whether a device belongs to the function or object, not to the module around."""
        return reach.near or stmt.scope.is_root
