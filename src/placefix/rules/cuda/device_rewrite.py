"""How a hard-coded use of CUDA is written without naming CUDA, and why it sometimes must stay.

For each site the device is chosen in this order: one in scope in the same function or object;
in a module's methods and in library code the device of a tensor in scope; one of the module
level; a new definition.
"""

from __future__ import annotations

import ast
import re
from functools import cached_property
from typing import TYPE_CHECKING

from placefix import torch_model
from placefix.diagnostic import Replace, Span
from placefix.facts import premises, reasons
from placefix.facts.accelerators import ACCELERATORS, CUDA
from placefix.facts.devices.device_selection import Devices
from placefix.facts.devices.execution import Execution
from placefix.facts.finding import Finding
from placefix.facts.interpret.class_summaries import ClassSummaries
from placefix.facts.interpret.provenance import Provenance
from placefix.facts.naming import last, names_host_value
from placefix.facts.program.ast_names import defaults, dotted, is_name
from placefix.facts.program.ast_walk import walk
from placefix.facts.program.callees import code_of, parameter_of, takes_any_device
from placefix.facts.program.conditions import AVAILABLE, is_of_cuda, opposite
from placefix.facts.program.device_values import condition
from placefix.facts.wording import unite
from placefix.rules.cuda.comments import reason, reworded
from placefix.rules.cuda.cuda_helpers import premise as moved_by_name
from placefix.rules.cuda.device_agreement import Meets
from placefix.rules.cuda.device_choice import Choice
from placefix.rules.cuda.escaping_values import escapes
from placefix.rules.cuda.gpu_requirements import Intents
from placefix.rules.cuda.is_cuda_guards import lies_with, taken_along
from placefix.rules.cuda.nearby_device import NearbyDevice
from placefix.rules.cuda.prior_placement import doubt
from placefix.rules.cuda.receiver_types import Receiver
from placefix.rules.cuda.refusals import Refusals
from placefix.rules.cuda.single_gpu import OneGpu
from placefix.rules.cuda.use_sites import Cuda
from placefix.torch_model import modules

if TYPE_CHECKING:
    from collections.abc import Iterator

    from placefix.diagnostic import Edit
    from placefix.facts.context import AnalysisContext
    from placefix.facts.devices.cuda_uses import Site
    from placefix.facts.devices.device_selection import Reach
    from placefix.facts.program.conditions import Test
    from placefix.facts.program.expression_index import AttributeWrite
    from placefix.facts.program.tree import Scope, Stmt
    from placefix.facts.wording import Premise, Reason

_TENSOR_ASKED = torch_model.marked("input")


# What of a factory's arguments says nothing of where, or what, it makes a leaf of.
_KEEPS_PLACE = frozenset(("dtype", "layout", "size", "fill_value"))


def _is_storage(site: Site) -> bool:
    """Whether the moved object is named storage, as in the functions that torch.load calls."""
    return isinstance(site.node, ast.Call) and is_name(site.node.func.value, "storage")  # type: ignore[attr-defined]


class Respell:
    """PF401 and PF402 for one file."""

    def __init__(self, context: AnalysisContext) -> None:
        self.context = context
        self.cuda = context.get(Cuda)
        self.devices = context.get(Devices)
        self.accelerator = context.accelerator
        self._one_gpu = OneGpu(context)

    # --- findings -----------------------------------------------------------------------------

    def calls(self) -> Iterator[Finding]:
        """Every ``.cuda()`` that no CUDA question guards."""
        for site in self.cuda.sites:
            if site.form == "cuda" and site.guard is None and not self.context.get(Intents).required(site):
                found = self.call(site)
                yield self._suggested(site, found) or found

    def _suggested(self, site: Site, found: Finding) -> Finding | None:
        """What ``x.cuda(gpu)`` would be with its index kept, a suggestion where it is not known to be a number; None
        where it may be None, or is no plain name."""
        extra = site.extra
        if (
            self.accelerator is not CUDA
            or not found.why_not
            or extra is None
            or self.context.get(Refusals).of(site)
            or self._agnostic_or_none(extra, site)
        ):
            return None
        torch, gpu = self.devices.torch_name(site.stmt), dotted(extra)
        if _is_storage(site) and self._restores(site) is None:
            return None
        if torch is None or not gpu or self.cuda.receivers.judge(site.node, site.stmt).verdict == "own":  # type: ignore[arg-type]
            return None
        made = self._one_gpu.device(site)
        if made is not None:
            name, inserts = made
            premise = premises.GPU_NUMBER_NOT_NEGATIVE(number=gpu)
            edits = (*inserts, *self._moved_to(site, name))
            return Finding(found.span, found.what, edits, (premise,), device=name)
        device = f'f"cuda:{{{gpu}}}" if {torch}.cuda.is_available() else "cpu"'
        premise = premises.NUMBER_NOT_NONE(number=gpu)
        return Finding(
            found.span, found.what, self._moved_to(site, device), (premise,), found.why_not, device, shown=True
        )

    def _agnostic_or_none(self, extra: ast.expr, site: Site) -> bool:
        """Whether the argument of ``.cuda(…)`` is a device that is known, or a parameter that is None by default."""
        if self.devices.meaning(extra, site.stmt.scope) is not None:
            return True
        scope = site.stmt.scope.lookup(dotted(extra).partition(".")[0])
        if scope is None or not scope.is_function or not isinstance(extra, ast.Name):
            return False
        default = defaults(scope.function.args).get(extra.id)
        return isinstance(default, ast.Constant) and default.value is None

    def call(self, site: Site, choice: Choice | None = None) -> Finding:
        """The respelling of one ``.cuda()`` call."""
        assert isinstance(site.node, ast.Call)
        span, what = self._shown(site), f"`.{self.accelerator.method}()`"
        if choice is None and site.extra is not None:
            device, premise = lies_with(self.context, site)
            choice = Choice(device, premises=unite(premise), number=self.context.text(site.extra)) if device else None
        elif choice is None and (along := taken_along(self.context, site)):
            choice = Choice(along)
        agnostic = site.extra is not None and self._is_agnostic(site.extra, site)
        numbered = choice is not None and site.extra is not None and choice.number == self.context.text(site.extra)
        current = choice is None and site.extra is not None and not agnostic and self._one_gpu.is_current(site)
        if (
            site.extra is not None
            and not numbered
            and not current
            and (not agnostic or (choice is not None and choice.text != self.context.text(site.extra)))
        ):
            text = self.context.text(site.extra)
            given = f"`{text}`" if len(text) <= 40 and "\n" not in text else "its argument"
            return Finding(
                span,
                f"`.{self.accelerator.method}(…)`",
                why_not=reasons.MAY_BE_NUMBER_OR_NONE(argument=given),
            )
        receiver = self.cuda.receivers.judge(site.node, site.stmt)
        if receiver.verdict == "own":
            return Finding(span, what, why_not=receiver.why_not)
        reason = self.context.get(Refusals).of(site) or self.index_reason(site)
        if reason:
            return Finding(span, what, why_not=reason)
        if site.extra is not None and choice is None and not current:
            choice = Choice(self.context.text(site.extra))
        choice = choice or self.choose(site)
        if choice.why_not or (choice.inserts and self.untestable):
            return Finding(span, what, why_not=choice.why_not or self.untestable)
        restores = self._restores(site) is not None
        if _is_storage(site) and not restores:
            return Finding(span, what, why_not=reasons.STORAGE_TO)
        assumed = choice.premises
        if not restores:
            assumed = unite(self._named(site), assumed, receiver.premise, escapes(self.context, site))
        edits = (*choice.inserts, *self._moved_to(site, choice.text), *self._reworded(site))
        return Finding(span, what, edits, assumed, device=choice.text, hint=self._hint(site, choice))

    def _reworded(self, site: Site) -> tuple[Edit, ...]:
        """The edits of the comments that say where a move goes, with the first move of its statement."""
        first = self._firsts.get(site.stmt)
        return reworded(self.context, site.stmt) if first is site.node and site.guard is None else ()

    @cached_property
    def _firsts(self) -> dict[Stmt, ast.expr]:
        """The first move of each statement."""
        found: dict[Stmt, ast.expr] = {}
        for site in self.cuda.sites:
            if site.is_move:
                found.setdefault(site.stmt, site.node)
        return found

    def _moved_to(self, site: Site, device: str) -> tuple[Edit, ...]:
        """The edits that move to `device`: of the call, or of the function that says where a file is loaded to, which may be a device."""
        restores = self._restores(site)
        if restores is None:
            return self.call_edits(site, device)
        return (Replace(self.context.span(restores), device, self.context.text(restores)),)

    def _restores(self, site: Site) -> ast.Lambda | None:
        """The function of ``map_location=lambda storage, loc: storage.cuda()``, where the move is all that it does."""
        if "lambda" not in self.context.text(site.stmt):
            return None
        for call in walk(site.stmt.node):
            if not isinstance(call, ast.Call):
                continue
            given = [k.value for k in call.keywords if k.arg == "map_location"]
            if self.context.tree.qualname(call.func, site.stmt.scope) == "torch.load":
                given += call.args[1:2]
            for function in given:
                if isinstance(function, ast.Lambda) and function.body is site.node:
                    moved = site.node.func.value  # type: ignore[attr-defined]
                    return function if any(is_name(moved, a.arg) for a in function.args.args[:1]) else None
        return None

    def _named(self, site: Site) -> Premise | None:
        """The premise if only the name of the function mentions CUDA, or if a comment gives a reason for CUDA; None if the function
        is not named so, or a test guards the use."""
        named = self.context.get(Intents).mover(site) if site.guard is None else None
        if named is not None:
            return moved_by_name(named)
        return self._reason(site) if site.guard is None else None

    def _reason(self, site: Site) -> Premise | None:
        """That a comment may give a reason for CUDA; None where none does."""
        said = reason(self.context, site.stmt)
        return premises.COMMENT_MEANS_CUDA(comment=said, accelerator=self.accelerator.title) if said else None

    @cached_property
    def untestable(self) -> Reason | None:
        """Why no device can be defined that is the accelerator where there is one; None where one can."""
        accelerator, text = self.accelerator, self.context.source.text
        if accelerator is CUDA:
            return None
        for other in ACCELERATORS:
            if other is not accelerator and re.search(rf"\b{other.name}\b", text):
                return reasons.OTHER_ACCELERATOR_NAMED(other=other.title, accelerator=accelerator.title)
        target = self.context.settings.target_torch
        if not accelerator.plugin or self._imports(accelerator.plugin):
            return None
        module, plugin = accelerator.functions, accelerator.plugin[0]
        if accelerator.since == (0, 0):
            return reasons.NEEDS_PLUGIN(module=module, plugin=plugin)
        if target >= accelerator.since:
            return None
        needed, have = (".".join(map(str, version)) for version in (accelerator.since, target))
        return reasons.NEEDS_PLUGIN_OR_TORCH(module=module, plugin=plugin, needed=needed, target=have)

    def _imports(self, packages: tuple[str, ...]) -> bool:
        """Whether the file cannot be imported without one of some packages."""
        return any(
            isinstance(stmt.node, ast.Import | ast.ImportFrom)
            and (
                names := [a.name for a in stmt.node.names] if isinstance(stmt.node, ast.Import) else [stmt.node.module]
            )
            and any((name or "").partition(".")[0] in packages for name in names)
            for stmt in self.context.tree.root.body.stmts
        )

    def literals(self) -> Iterator[Finding]:
        """Every "cuda" that is used as a device and that no test for CUDA guards."""
        for site in self.cuda.sites:
            if (
                site.form in ("cuda", "tensor", "cast")
                or site.guard is not None
                or self.context.get(Intents).required(site)
            ):
                continue
            if site.is_definition:
                if not self.is_chosen(site):
                    yield self.literal_definition(site)
            else:
                yield self.literal(site)

    def defaults(self) -> Iterator[Finding]:
        """Every parameter whose default is a device of CUDA."""
        from placefix.rules.cuda.default_arguments import defaults

        return defaults(self.context)

    def numbers(self) -> Iterator[Finding]:
        """Every tensor that is asked for the number of its GPU where a device is needed."""
        from placefix.rules.cuda.get_device_calls import numbers

        return numbers(self.context)

    def literal(self, site: Site, choice: Choice | None = None) -> Finding:
        """The respelling of "cuda" as an argument."""
        assert site.literal is not None and isinstance(site.node, ast.Call)
        span, what = self.context.span(site.literal), f"`{self.context.text(site.literal)}`"
        reason = self.context.get(Refusals).of(site) or self.index_reason(site)
        receiver = self.cuda.receivers.judge(site.node, site.stmt) if site.form == "to" else Receiver("torch")
        if receiver.verdict == "own":
            return Finding(span, what, why_not=receiver.why_not)
        if reason:
            return Finding(span, what, why_not=reason)
        choice = choice or self.choose(site)
        if choice.why_not or (choice.inserts and self.untestable):
            return Finding(span, what, why_not=choice.why_not or self.untestable)
        if site.form == "to":
            premise = receiver.premise if self._is_object(choice, site) else None
        else:
            premise, reason = self._accepted(site, choice)
            if reason:
                return Finding(span, what, why_not=reason)
        edits = (*choice.inserts, *self.site_edits(site, choice.text), *self._reworded(site))
        assumed = unite(self._named(site), choice.premises, premise, escapes(self.context, site))
        return Finding(span, what, edits, assumed, device=choice.text, hint=self._hint(site, choice))

    def _hint(self, site: Site, choice: Choice) -> Reason | None:
        """Which target-torch would give a device that a fix defines another spelling, None where none would."""
        return self.devices.idiom.hint(self._served(site)) if choice.inserts and site.guard is None else None

    def _accepted(self, site: Site, choice: Choice) -> tuple[Premise | None, Reason | None]:
        """The premise about a function that gets a device in place of "cuda"; and the reason if it must not."""
        assert site.literal is not None and isinstance(site.node, ast.Call)
        if self._is_torchs(site.node, site):
            return None, None
        made, is_object = isinstance(site.literal, ast.Call), self._is_object(choice, site)
        if made and is_object:
            return None, None
        function = code_of(site.node, site.stmt.scope, self.context.home)
        name = parameter_of(site.node, site.literal, function) if function is not None else ""
        called = self.context.text(site.node.func)
        if function is None or not name:
            other = ("string", "torch.device") if made else ("torch.device", "string")
            return premises.ACCEPTS_DEVICE(function=called, takes=other[0], given=other[1]), None
        if takes_any_device(function, name, function.tree.home or self.context.home):
            return None, None
        if made or is_object:
            return None, reasons.READS_STRING(function=called, parameter=name)
        return premises.SAME_WITH_CPU(function=called, device=self.accelerator.name), None

    def _is_object(self, choice: Choice, site: Site) -> bool:
        """Whether a device that is chosen is a torch.device, not the name of one, or may be."""
        if choice.inserts:
            return True
        reach = next(
            (r for r in self.devices.candidates(site.stmt) if r.text == choice.text and r.stmt is not None), None
        )
        value = getattr(reach.stmt.node, "value", None) if reach is not None and reach.stmt is not None else None
        return not _is_word(value)

    def literal_definition(self, site: Site) -> Finding:
        """``device = torch.device("cuda")``: the literal becomes a choice, the name stays."""
        assert site.literal is not None
        span, text = self.context.span(site.literal), self.context.text(site.literal)
        what = f"`{self.context.text(site.node)}`"
        reason = self.context.get(Refusals).of(site)
        if not reason and len(self._bindings(site)) > 1:
            reason = reasons.BOUND_SEVERAL_TIMES
        if self.accelerator is not CUDA:
            reason = reason or self.untestable or self.index_reason(site)
        if reason:
            return Finding(span, what, why_not=reason)
        torch = self.devices.torch_name(site.stmt)
        if torch is None:
            return Finding(span, what, why_not=reasons.TORCH_NOT_NAMED)
        question = f"{torch}.{self.accelerator.available}()"
        flag = self.devices.flag_before(site.stmt)
        beyond = self._beyond_flag(site, *flag) if flag is not None else ()
        if beyond is None:
            flag, beyond = None, ()
        if flag is not None:
            test, positive = flag
            question = test.text if positive else opposite(test.text)
        new = f'{text} if {question} else "cpu"'
        node = site.stmt.node
        name = dotted(node.targets[0]) if isinstance(node, ast.Assign) and len(node.targets) == 1 else ""
        title = self.accelerator.title if self.accelerator.names(last(name)) else ""
        assumed = unite(
            self._after_test(site) if flag is None else (),
            premises.NAME_WOULD_NOT_MATCH(name=name, accelerator=title) if title else None,
            premises.CPU_FOR_NUMBERED_GPU(index=site.index) if site.index else None,
            self._reason(site),
            beyond,
        )
        edit, idiom, stmts = Replace(span, new, text), self.devices.idiom, [site.stmt]
        whole = flag is None and site.literal is not site.node and not site.index  # a name of a device stays one
        if whole and idiom.is_accelerators(stmts):
            edit = Replace(self.context.span(site.node), idiom.device(torch, stmts), self.context.text(site.node))
            assumed = unite(idiom.premise, assumed)
        hint = idiom.hint(stmts) if whole else None
        return Finding(span, what, (edit,), assumed, device=edit.text, hint=hint)

    def _after_test(self, site: Site) -> tuple[Premise, ...]:
        """The premises of code that runs after a new test for CUDA."""
        forks = site.stmt.scope is self.context.tree.root and self.devices.forks
        return unite(
            premises.FORKS_AFTER_TEST if forks else None,
            premises.IMPORTERS_CHOOSE_GPUS if self.devices.asked_on_import(site.stmt) else None,
            premises.VISIBLE_GPUS_CHOSEN_LATER if self.devices.chosen_after(site.stmt) else None,
        )

    def is_chosen(self, site: Site) -> bool:
        """Whether a definition is one of several among which something else decides."""
        return self.devices.chosen(self._bindings(site))

    def _bindings(self, site: Site) -> list[AttributeWrite]:
        """The assignments in the scope to the name that a definition binds."""
        node = site.stmt.node
        text = dotted(node.targets[0]) if isinstance(node, ast.Assign) and len(node.targets) == 1 else ""
        return [w for w in self.devices.index.writes.get(text, ()) if w.stmt.scope is site.stmt.scope]

    def _shown(self, site: Site) -> Span:
        """``cuda(`` to the end of the call: where the finding points."""
        assert isinstance(site.node, ast.Call) and isinstance(site.node.func, ast.Attribute)
        end = self.context.span(site.node.func).end
        return Span(end - len(self.accelerator.method), self.context.span(site.node).end)

    def index_reason(self, site: Site) -> Reason | None:
        """Why the GPU that a site names must stay named, None where it need not."""
        if site.index is None:
            return None
        if self.accelerator is not CUDA:
            return reasons.NAMES_DEVICE(device=f"{self.accelerator.name}:{site.index}")
        if site.index != 0:
            return reasons.NAMES_GPU(index=site.index)
        if self.context.get(Refusals).selects:
            return reasons.NAMES_FIRST_OF_SEVERAL
        if any(s.index == 0 and self.context.get(Intents).contract(s) for s in self.cuda.sites):
            return reasons.NAMES_FIRST_FOR_CUDA
        return None

    def _is_agnostic(self, expr: ast.expr, site: Site) -> bool:
        """Whether the argument of ``.cuda(device)`` is a device that is the CPU where there is no GPU."""
        meaning = self.devices.meaning(expr, site.stmt.scope)
        return meaning is not None and meaning.is_conditional

    def _is_torchs(self, call: ast.Call, site: Site) -> bool:
        """Whether a function that is told where is torch's, or a tensor's own method."""
        name = self.context.tree.qualname(call.func, site.stmt.scope) or ""
        if name.startswith(("torch.", "ignite.")):
            return True
        func = call.func
        return (
            not name
            and isinstance(func, ast.Attribute)
            and (
                func.attr in ("new_zeros", "new_ones", "new_tensor", "new_full", "new_empty", "to")
                or func.attr.endswith("_like")
            )
        )

    # --- the device ----------------------------------------------------------------------------

    def choose(self, site: Site) -> Choice:
        """The device expression for an unguarded site."""
        near, far, reason = self._in_reach(site)
        if near is not None and not near.premises:
            return near
        tensor = self.tensor_at_hand(site)
        if tensor:
            return Choice(tensor)
        if near is not None or far is not None:
            return near or far or Choice()
        unproven = self.devices.unproven(site.stmt)
        if reason or unproven:
            weight = self._weight_at_hand(site)
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
        flag = self.devices.flag_at(site.stmt)
        beyond = self._beyond_flag(site, *flag) if flag is not None else ()
        if beyond and self.devices.divided(site.stmt):
            beyond = None
        if flag is not None and beyond is not None and (made := self._made(site, flag)) is not None:
            other = self.context.get(Refusals).other_gpu(made[0], None, site)
            return Choice(made[0], made[1], unite(beyond, self.devices.idiom.premise, other))
        made = self._made(site, None)
        if made is None:
            return Choice(why_not=reasons.NO_LINE_FOR_DEVICE)
        other = self.context.get(Refusals).other_gpu(made[0], None, site)
        return Choice(made[0], made[1], unite(self.devices.idiom.premise, other))

    def _made(self, site: Site, flag: tuple[Test, bool] | None) -> tuple[str, tuple[Edit, ...]] | None:
        """A new device for a site, and what else needs one, that follows a flag or what there is."""
        wanted = self._served(site)
        return self.devices.definition(wanted, flag, any_flag=False) or self.devices.definition(
            [site.stmt], flag, any_flag=False
        )

    def _beyond_flag(
        self, site: Site, test: Test, positive: bool, *, found: bool = False
    ) -> tuple[Premise, ...] | None:
        """The premises if an unguarded use follows a flag that it did not follow before; none if its value
        meets one that is on the CPU without the flag, None if the flag is not for all uses of CUDA, by its name or because
        nothing is placed under it. found: whether a device follows it."""
        key = condition(test, positive)
        if key == AVAILABLE:
            return ()
        with_it = [
            s
            for s in self.cuda.sites
            if s.is_move
            and s.stmt.scope is site.stmt.scope
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

    def _served(self, site: Site) -> list[Stmt]:
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
                if reach.meaning.kind == "none":
                    reason = reason or reasons.DEVICE_MAY_BE_NONE(device=reach.text)
                test = reach.meaning.test
                if test is not None and reach.meaning.key != AVAILABLE and not is_of_cuda(test):
                    continue  # it is for another purpose, and another device may be next to it
                if reach.agnostic and reach.meaning.index is None:
                    reason = reason or reasons.DEVICE_OF_SEVERAL_FLAGS(device=reach.text)
                reason = reason or reasons.DEVICE_NAMES_ONE_GPU(device=reach.text)
                continue
            choice = Choice(reach.text, (), verdict)
            if not reach.near and not site.stmt.scope.is_root:
                if (
                    far is None
                    or (far.premises and not verdict)
                    or ("." in far.text and "." not in reach.text and not verdict)
                ):
                    far = choice
            elif near is None or (near.premises and not verdict):
                near = choice
        return near, far, reason if near is None and far is None else None

    def _verdict(self, reach: Reach, site: Site) -> tuple[Premise, ...] | None:
        """The premises under which the device means the same as the site; None if it does not."""
        meaning = reach.meaning
        if meaning.kind == "index":
            return () if self._current(reach) else None
        if (
            meaning.index is not None
            and (self.context.get(Refusals).selects or self.context.get(Refusals).indices - {0})
            and meaning.index != site.index
        ):
            return None
        if meaning.kind == "flag" and meaning.test is not None and meaning.key != AVAILABLE:
            if reach.used and self.context.get(Meets)(site, reach.text):
                return unite(self.context.get(Refusals).other_gpu(reach.text, meaning.index, site))
            beyond = self._beyond_flag(site, meaning.test, meaning.positive, found=True)
            if beyond == ():
                return unite(self.context.get(Refusals).other_gpu(reach.text, meaning.index, site))
            return None if beyond and self.devices.divided(site.stmt) else beyond
        if meaning.is_conditional or meaning.kind == "cuda":
            return unite(self.context.get(Refusals).other_gpu(reach.text, meaning.index, site))
        if meaning.kind == "other":
            # where the program ran, what met lay on one device: it was the GPU that the call names
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

    # --- a tensor in scope ----------------------------------------------------------------------

    def tensor_at_hand(self, site: Site) -> str:
        """``x.device`` of a parameter that the placed value meets in an operation, or an empty string: the device of another one, such as
        labels on the CPU, may differ from the device in the call."""
        scope = site.stmt.scope
        if not scope.is_function or not self._follows_inputs(scope):
            return ""
        moved = site.receiver
        if site.form == "cuda" or site.form == "to":
            if moved is None or not self.context.get(Provenance).is_made_on_host(moved, scope):
                return ""
        elif not (
            isinstance(site.node, ast.Call)
            and (self.context.tree.qualname(site.node.func, scope) or "").startswith("torch.")
        ):
            return ""
        arguments = scope.function.args
        positional = [*arguments.posonlyargs, *arguments.args]
        optional = defaults(arguments)
        if scope.parent is not None and scope.parent.is_class:
            positional = positional[1:]
        for argument in positional:
            name = argument.arg
            if (
                name not in optional
                and not names_host_value(name)
                and self._is_input(name, scope)
                and self.context.get(Meets).parameter(site, name)
            ):
                return f"{name}.device"
        return ""

    def _weight_at_hand(self, site: Site) -> str:
        """``self.fc.weight``: a parameter of a layer of the module whose method this is, or an empty string."""
        scope = site.stmt.scope
        me = self.devices.self_name(scope) if scope.is_function else ""
        if not me or scope.parent is None or not self._follows_inputs(scope):
            return ""
        layers = self.context.get(ClassSummaries).of(scope.parent).layers
        return next((f"{me}.{attr}.weight" for attr, name in layers.items() if modules.has_weight(name)), "")

    def _follows_inputs(self, scope: Scope) -> bool:
        """A method of a module, but for its constructor, or a function of a library file."""
        parent = scope.parent
        if parent is not None and parent.is_class:
            return (
                scope.name not in ("__init__", "__new__", "setup")
                and self.context.get(ClassSummaries).of(parent).is_module
            )
        return parent is not None and parent.is_root and not self.context.get(Execution).is_script

    def _is_input(self, name: str, scope: Scope) -> bool:
        """Whether a parameter is a tensor by how the function uses it, and stays where it came from."""
        index = self.devices.index
        asked = False
        for attr in _TENSOR_ASKED:
            if any(s.scope is scope for _, s in index.read(f"{name}.{attr}")):
                asked = True
                break
        if not asked:
            return False
        for attr in ("cuda", "cpu", "to", "numpy", "tolist", "data.cuda", "keys", "items", "append"):
            if any(s.scope is scope for _, s in index.read(f"{name}.{attr}")):
                return False
        for binder in index.binding(scope, name):
            values = [w.value for w in index.values(scope, name) if w.stmt is binder]
            if (
                not values
                or values[0] is None
                or not re.search(rf"\b{re.escape(name)}\b", self.context.source.code(values[0]))
            ):
                return False
            if re.search(
                r"pack_padded|\.cuda\(|\.cpu\(|\.to\(|numpy|tolist|list\(|tuple\(", self.context.source.code(values[0])
            ):
                return False
        return not any(
            isinstance(s.node, (ast.For, ast.AsyncFor)) and dotted(s.node.iter) == name
            for _, s in index.read(name)
            if s.scope is scope
        )

    # --- edits ----------------------------------------------------------------------------------

    def site_edits(self, site: Site, device: str) -> tuple[Replace, ...]:
        """The edits that make a move of either spelling go to `device`."""
        if site.form == "cuda":
            return self.call_edits(site, device)
        assert site.literal is not None
        made = self._made_there(site, device)
        return made or (Replace(self.context.span(site.literal), device, self.context.text(site.literal)),)

    def _made_there(self, site: Site, device: str) -> tuple[Replace, ...]:
        """``torch.zeros(n).cuda()`` -> ``torch.zeros(n, device=device)``: a tensor with the same values on any device is made
        on its destination. Empty for any other move."""
        move, text = site.node, self.context.source.text
        if not isinstance(move, ast.Call) or not isinstance(move.func, ast.Attribute):
            return ()
        made = move.func.value
        given = [*move.args, *(k.value for k in move.keywords)]
        if not isinstance(made, ast.Call) or given not in ([], [site.literal]) or not made.args:
            return ()
        name = self.context.tree.qualname(made.func, site.stmt.scope) or ""
        several = name == "torch.arange" and len(made.args) > 1  # steps are added up in another way on a GPU
        if not torch_model.is_same_anywhere(name) or several or any(k.arg not in _KEEPS_PLACE for k in made.keywords):
            return ()
        end, last = self.context.span(made).end, self.context.span(move).end
        inner = self.context.text(made)
        plain = text[end:last].startswith((f".{self.accelerator.method}(", ".to(")) and not any(
            c in text[end:last] for c in "\r\n#"
        )
        if not plain or any(c in inner for c in "\r\n") or inner[:-1].rstrip().endswith(","):
            return ()
        return (Replace(Span(end - 1, last), f", device={device})", text[end - 1 : last]),)

    def call_edits(self, site: Site, device: str) -> tuple[Replace, ...]:
        """``.cuda(…)`` -> ``.to(device, …)``; the rest of the call is not changed."""
        call = site.node
        assert isinstance(call, ast.Call) and isinstance(call.func, ast.Attribute)
        text = self.context.source.text
        end = self.context.span(call.func).end
        method = self.accelerator.method
        start = end - len(method)
        made = self._made_there(site, device)
        if made:
            return made
        given = (
            call.args[0] if call.args else next((k for k in call.keywords if k.arg in ("device", "device_id")), None)
        )
        if given is not None:
            value = given.value if isinstance(given, ast.keyword) else given
            edits = [Replace(Span(start, end), "to", method)]
            if self.context.text(value) != device:
                edits.append(Replace(self.context.span(value), device, self.context.text(value)))
            return tuple(edits)
        paren = _open(text, end)
        to = (Replace(Span(start, paren + 1), "to(", f"{method}("),)
        if paren != end:
            to = Replace(Span(start, end), "to", method), Replace(Span(paren, paren + 1), "(", "(")  # type: ignore[assignment]
        return (*to[:-1], *first_argument(self.context, call, device, to[-1]))


def _is_word(value: ast.expr | None) -> bool:
    """Whether an expression gives the name of a device: a string, or a choice of them."""
    if isinstance(value, ast.IfExp):
        return _is_word(value.body) and _is_word(value.orelse)
    return isinstance(value, ast.JoinedStr) or (isinstance(value, ast.Constant) and isinstance(value.value, str))


def _taken(device: str) -> Premise:
    """The premise of a device in scope that is not known to be the GPU."""
    return premises.DEVICE_IS_GPU(device=device)


def first_argument(context: AnalysisContext, call: ast.Call, argument: str, opening: Replace) -> tuple[Replace, ...]:
    """The edits that put a new first argument behind the parenthesis that `opening` writes; on a separate
    line if the arguments have separate lines."""
    text = context.source.text
    given = [*call.args, *(k.value for k in call.keywords)]
    if not given:
        return (Replace(opening.span, opening.text + argument, opening.expect),)
    first = min(
        [context.span(a).start for a in call.args] + [context.source.span(k).start for k in call.keywords],
    )
    line = context.source.line_starts[context.source.line_of(first) - 1]
    margin = text[line:first]
    if line > opening.span.end and not margin.strip():
        own = (opening,) if opening.text != opening.expect else ()
        return (*own, Replace(Span(first, first), f"{argument},{context.source.newline}{margin}", ""))
    separator = "," if text[opening.span.end : opening.span.end + 1] in "\r\n" else ", "
    return (Replace(opening.span, opening.text + argument + separator, opening.expect),)


def _open(text: str, offset: int) -> int:
    """The offset of the ``(`` that follows, over white space, comments and continuations."""
    comment = False
    while comment or text[offset] != "(":
        comment = text[offset] not in "\r\n" and (comment or text[offset] == "#")
        offset += 1
    return offset
