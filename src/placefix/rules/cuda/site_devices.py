"""The device that an unguarded use of CUDA takes.

In this order: one in scope in the same function or object; in a module's methods and in library code the device of a tensor in scope;
one of the module level; that of a parameter, where a new definition would be one of the function; a new definition.
"""

from __future__ import annotations

import ast
from functools import cached_property
from typing import TYPE_CHECKING

from placefix.facts import premises, reasons
from placefix.facts.context import FileAnalysis, requires
from placefix.facts.devices.captured_functions import CapturedFunctions
from placefix.facts.devices.device_selection import Devices
from placefix.facts.devices.execution import Execution
from placefix.facts.program.conditions import AVAILABLE, is_of_cuda
from placefix.facts.program.device_values import condition
from placefix.facts.wording import unite
from placefix.rules.cuda.device_agreement import Meets
from placefix.rules.cuda.device_choice import Choice
from placefix.rules.cuda.input_devices import InputDevices
from placefix.rules.cuda.nearby_device import NearbyDevice
from placefix.rules.cuda.prior_placement import doubt
from placefix.rules.cuda.refusals import Refusals
from placefix.rules.cuda.use_sites import Cuda

if TYPE_CHECKING:
    from placefix.diagnostic import Edit
    from placefix.facts.devices.cuda_uses import Site
    from placefix.facts.devices.reaching_devices import Reach
    from placefix.facts.program.conditions import Test
    from placefix.facts.program.tree import Stmt
    from placefix.facts.wording import Premise, Reason


class SiteDevices(FileAnalysis):
    """The devices of the unguarded uses of CUDA in one file."""

    cuda = requires(Cuda)
    devices = requires(Devices)
    inputs = requires(InputDevices)

    def choose(self, site: Site) -> Choice:
        """The device expression for an unguarded site."""
        own = self.context.get(Refusals).own_device(site) if self.context.tree.framework else ""
        if own:
            return Choice(own, (), (_taken(own),))
        near, far, reason = self._in_reach(site)
        if near is not None and not near.premises:
            return near
        tensor = self.inputs.of_tensor(site)
        found = near or far
        if not tensor and found is not None:
            return found
        tensor = tensor or self.inputs.of_layer(site)
        if tensor:
            self.context.borrowed_devices.add(site.node)
            return Choice(tensor)
        unproven = self.devices.unproven(site.stmt)
        if reason or unproven:
            return self._unproven(site, unproven, reason)
        new = self._new(site)
        return self._of_operand(site) or new if new.why_not or self._is_local(new) else new

    def _of_operand(self, site: Site) -> Choice | None:
        """The device of a parameter, or of a tensor of the object, that the placed value meets; None if no operation shows one,
        or if it would be part of a recorded graph."""
        if self.context.get(CapturedFunctions).is_traced(site.stmt.scope):
            return None
        tensor = self.inputs.of_parameter(site) or self.inputs.of_attribute(site)
        if tensor:
            self.context.borrowed_devices.add(site.node)
        return Choice(tensor) if tensor else None

    def _is_local(self, choice: Choice) -> bool:
        """Whether a new device is one of a single function."""
        return any(
            (scope := self.context.new_devices.get(edit)) is not None and scope.is_function for edit in choice.inserts
        )

    def _unproven(self, site: Site, unproven: str, reason: Reason | None) -> Choice:
        """A device for a site with one in scope that is not known to be the GPU (`unproven`), or that is not (`reason`)."""
        weight = self.inputs.of_weight(site)
        if weight:
            return Choice(f"{weight}.device", (), (premises.TENSOR_ON_GPU(name=weight),))
        beside = self.context.get(NearbyDevice).choice(site, around=True)
        if beside is not None:
            return beside
        if not reason and self.devices.is_bound(unproven, site.stmt):
            return Choice(unproven, (), () if self.context.get(Meets)(site, unproven) else (_taken(unproven),))
        below = self.devices.is_bound_below(unproven, site.stmt)
        row = reasons.VALUE_BOUND_BELOW if below else reasons.VALUE_NOT_KNOWN
        return Choice(why_not=reason or row(device=unproven))

    def _new(self, site: Site) -> Choice:
        """A new device, which follows the flag of the file's guards if there is one."""
        flag = self.devices.flag_at(site.stmt)
        beyond = self.beyond_flag(site, *flag) if flag is not None else ()
        made = self._made(site, flag) if flag is not None and beyond is not None else None
        if made is None or beyond is None:
            made, beyond = self._made(site, None), ()
        if made is None:
            scripted = self.context.get(CapturedFunctions).is_scripted(site.stmt.scope)
            return Choice(why_not=reasons.TORCHSCRIPT if scripted else reasons.NO_LINE_FOR_DEVICE)
        other = self.context.get(Refusals).other_gpu(made[0], None, site)
        callers = self._of_callers(site) if flag is None else None
        return Choice(made[0], made[1], unite(beyond, self.devices.idiom.premise, other, callers))

    def _of_callers(self, site: Site) -> Premise | None:
        """The premise of a new device in a function whose callers decide where its tensors are, or that takes devices from its
        arguments; None for other functions and for modules, which are moved as a whole."""
        if not self.inputs.follow_callers(site) and not self.inputs.asks_argument(site.stmt.scope):
            return None
        return premises.OTHERS_ON_CURRENT_GPU(function=site.stmt.scope.name)

    def _made(self, site: Site, flag: tuple[Test, bool] | None) -> tuple[str, tuple[Edit, ...]] | None:
        """A new device for a site, and for the others that need one, that follows a flag or the availability."""
        wanted = self.served(site)
        return self.devices.definition(wanted, flag) or self.devices.definition([site.stmt], flag)

    def beyond_flag(self, site: Site, test: Test, positive: bool, *, found: bool = False) -> tuple[Premise, ...] | None:
        """The premises if an unguarded use follows a flag that it did not follow before; none if its value
        meets one that is on the CPU without the flag, None if the flag is not for all uses of CUDA, by its name or because
        nothing is placed under it. found: whether a device follows it."""
        key = condition(test, positive)
        if key == AVAILABLE:
            return ()
        with_it = [
            s
            for s in self.cuda.sites_of(site.stmt.scope)
            if s.is_move
            and s.guard is not None
            and s.guard.test is not None
            and condition(s.guard.test, s.guard.positive) == key
            and s.guard.test.roots == test.roots
            and self.devices.settled(test, s.guard.stmt, site.stmt)
            and not doubt(self.context, s, s.guard.test)
        ]
        if self.context.get(Meets).guarded(site, with_it):
            return ()
        if not is_of_cuda(test) or not (found or self.devices.places_under(test, positive)):
            return None
        off = "false" if positive else "true"
        return (premises.OVERSIGHT_WITHOUT_FLAG(test=test.text, value=off),)

    def served(self, site: Site) -> list[Stmt]:
        """The statements one definition should serve: all sites of the file that have nothing in reach."""
        if not self.context.get(Execution).is_script:
            return [site.stmt]
        if site.stmt in self._all_homeless:  # the same question, and the same answer, for all of them
            return self._homeless
        return [site.stmt, *self._homeless]

    @cached_property
    def _all_homeless(self) -> frozenset[Stmt]:
        return frozenset(self._homeless)

    @cached_property
    def _homeless(self) -> list[Stmt]:
        return list(
            dict.fromkeys(
                s.stmt
                for s in self.cuda.sites
                if not s.is_definition
                and s.guard is None
                and s.stmt.scope is self.context.tree.root
                and self._in_reach(s)[:2] == (None, None)
            )
        )

    def _in_reach(self, site: Site) -> tuple[Choice | None, Choice | None, Reason | None]:
        """(nearest in the function or object, one of the module level, why one in scope is not used)."""
        near: Choice | None = None
        far: Choice | None = None
        reason: Reason | None = None
        for reach in self.devices.candidates(site.stmt):
            verdict = self._verdict(reach, site)
            if verdict is None:
                reason = reason or _why_not_used(reach)
                continue
            choice = Choice(reach.text, (), verdict)
            if not reach.near and not site.stmt.scope.is_root:
                far = choice if far is None or _is_better(choice, far) else far
            elif near is None or (near.premises and not verdict):
                near = choice
        return near, far, reason if near is None and far is None else None

    def _verdict(self, reach: Reach, site: Site) -> tuple[Premise, ...] | None:
        """The premises under which the device means the same as the site; None if it does not."""
        meaning = reach.meaning
        if meaning.has_number:
            return () if self._current(reach) else None
        if meaning.index is not None and self.context.get(Refusals).selects and meaning.index != site.index:
            return None
        if meaning.is_flag and meaning.test is not None and meaning.key != AVAILABLE:
            if reach.used and self.context.get(Meets)(site, reach.text):
                return unite(self.context.get(Refusals).other_gpu(reach.text, meaning.index, site))
            beyond = self.beyond_flag(site, meaning.test, meaning.positive, found=True)
            if beyond == ():
                return unite(self.context.get(Refusals).other_gpu(reach.text, meaning.index, site))
            return beyond
        if meaning.is_cuda_or_conditional:
            return unite(self.context.get(Refusals).other_gpu(reach.text, meaning.index, site))
        if meaning.kind == "other":
            # in every run that ended, operands were on one device: it was the GPU that the call names
            if reach.used and self.context.get(Meets)(site, reach.text):
                return ()
            return (_taken(reach.text),)
        return None

    def _current(self, reach: Reach) -> bool:
        """Whether the file makes this very device the current one."""
        stmt = reach.stmt
        value = getattr(stmt.node, "value", None) if stmt is not None else None
        texts = {reach.text} | ({self.context.source.code(value)} if value is not None else set())
        if isinstance(value, ast.Call):
            texts |= {self.context.source.code(a) for a in value.args}
        for call, where in self.devices.index.calls:
            if self.context.tree.qualname(call.func, where.scope) == "torch.cuda.set_device" and call.args:
                text = self.context.source.code(call.args[0])
                if text in texts or any(text and f"{{{text}}}" in t for t in texts):
                    return True
        return False


def _is_better(new: Choice, old: Choice) -> bool:
    """Whether a device of the module level has fewer premises than another, or is a plain name."""
    return not new.premises and bool(old.premises or ("." in old.text and "." not in new.text))


def _why_not_used(reach: Reach) -> Reason | None:
    """Why a device in scope does not mean the same as a use of CUDA; None if it is for another purpose, and another device may
    be next to it."""
    meaning = reach.meaning
    if meaning.kind == "none":
        return reasons.DEVICE_MAY_BE_NONE(device=reach.text)
    if meaning.test is not None and meaning.key != AVAILABLE and not is_of_cuda(meaning.test):
        return None
    if reach.agnostic and meaning.index is None:
        return reasons.DEVICE_OF_SEVERAL_FLAGS(device=reach.text)
    return reasons.DEVICE_NAMES_ONE_GPU(device=reach.text)


def _taken(device: str) -> Premise:
    """The premise of a device in scope that is not known to be the GPU."""
    return premises.DEVICE_IS_GPU(device=device)
