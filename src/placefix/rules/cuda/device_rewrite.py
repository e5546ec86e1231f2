"""How a hard-coded use of CUDA is written without naming CUDA, and why it sometimes must stay."""

from __future__ import annotations

import ast
import re
from functools import cached_property
from typing import TYPE_CHECKING

from placefix.diagnostic import Replace, Span
from placefix.facts import premises, reasons
from placefix.facts.accelerators import ACCELERATORS, CUDA
from placefix.facts.context import FileAnalysis, requires
from placefix.facts.devices.device_selection import Devices
from placefix.facts.devices.execution import Execution
from placefix.facts.devices.torch_imports import TorchImports
from placefix.facts.finding import Finding
from placefix.facts.naming import last
from placefix.facts.program.assignments import assigned_name, assigned_text
from placefix.facts.program.ast_names import defaults, dotted, is_literal, is_name
from placefix.facts.program.callees import code_of, parameter_of, takes_any_device
from placefix.facts.program.comparisons import opposite
from placefix.facts.wording import unite
from placefix.rules import messages
from placefix.rules.cuda.comments import reason, reworded
from placefix.rules.cuda.cuda_helpers import premise as moved_by_name
from placefix.rules.cuda.default_words import DefaultWords
from placefix.rules.cuda.device_choice import Choice
from placefix.rules.cuda.escaping_values import escapes
from placefix.rules.cuda.gpu_requirements import Intents
from placefix.rules.cuda.is_cuda_guards import lies_with, taken_along
from placefix.rules.cuda.move_edits import MoveEdits
from placefix.rules.cuda.receiver_types import Receiver
from placefix.rules.cuda.refusals import Refusals
from placefix.rules.cuda.single_gpu import OneGpu
from placefix.rules.cuda.site_devices import SiteDevices
from placefix.rules.cuda.tensor_creation import TensorCreation
from placefix.rules.cuda.use_sites import Cuda, finds_none_given

if TYPE_CHECKING:
    from collections.abc import Iterator

    from placefix.diagnostic import Edit
    from placefix.facts.devices.cuda_uses import Site
    from placefix.facts.program.expression_index import AttributeWrite
    from placefix.facts.program.tree import Stmt
    from placefix.facts.wording import Premise, Reason


def _is_storage(site: Site) -> bool:
    """Whether the moved object is named storage, as in the functions that torch.load calls."""
    return isinstance(site.node, ast.Call) and is_name(site.node.func.value, "storage")  # type: ignore[attr-defined]


class DeviceRewrite(FileAnalysis):
    """PF401 and PF402 for one file."""

    cuda = requires(Cuda)
    devices = requires(Devices)
    edits = requires(MoveEdits)
    site_devices = requires(SiteDevices)
    _one_gpu = requires(OneGpu)

    # --- findings -----------------------------------------------------------------------------

    def calls(self) -> Iterator[Finding]:
        """Every ``.cuda()`` that no CUDA question guards."""
        for site in self.cuda.sites:
            if site.form == "cuda" and site.guard is None and not self.context.get(Intents).required(site):
                found = self.call(site)
                if found.edits and site.node in self._discarded:
                    found = Finding(found.span, found.what, why_not=reasons.RESULT_DISCARDED)
                yield self._suggested(site, found) or found

    @cached_property
    def _discarded(self) -> set[ast.AST]:
        """The moves of tensors whose result is discarded, and may have to be: PF303 has no safe fix for them."""
        if not any(isinstance(site.stmt.node, ast.Expr) and site.is_move for site in self.cuda.sites):
            return set()
        from placefix.rules.tensors.discarded_moves import DiscardedMoves

        discarded = self.context.get(DiscardedMoves)
        repaired = {found.span for found in discarded.misplaced() if found.edits and not found.premises}
        return {event.node for event in discarded.moves if self.context.span(event.node) not in repaired}

    def _suggested(self, site: Site, found: Finding) -> Finding | None:
        """``x.cuda(gpu)`` rewritten with its index, a suggestion because the index is not known to be a number; None
        if it may be None, or is no plain name."""
        extra = site.extra
        if (
            self.accelerator is not CUDA
            or not found.why_not
            or extra is None
            or self.context.get(Refusals).of(site)
            or self._agnostic_or_none(extra, site)
        ):
            return None
        torch, gpu = self.context.get(TorchImports).name_at(site.stmt), dotted(extra)
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
        return is_literal(default, None)

    def move(self, site: Site, choice: Choice) -> Finding:
        """The respelling of a move of either spelling to a chosen device."""
        return self.call(site, choice) if site.form == "cuda" else self.literal(site, choice)

    def call(self, site: Site, choice: Choice | None = None) -> Finding:
        """The respelling of one ``.cuda()`` call."""
        assert isinstance(site.node, ast.Call)
        span, what = self._shown(site), f"`.{self.accelerator.method}()`"
        choice = choice or self._device_of_tensor(site)
        if site.extra is not None and not self._is_clear(site.extra, site, choice):
            unclear = reasons.MAY_BE_NUMBER_OR_NONE(argument=self.context.quoted(site.extra, "its argument"))
            return Finding(span, f"`.{self.accelerator.method}(…)`", why_not=unclear)
        receiver = self.cuda.receivers.judge(site.node, site.stmt)
        if why_not := self._why_not_moved(site, receiver):
            return Finding(span, what, why_not=why_not)
        if choice is None and site.extra is not None and self._is_agnostic(site.extra, site):
            choice = Choice(self.context.text(site.extra))
        choice = choice or self.site_devices.choose(site)
        if why_not := self._why_not_chosen(choice):
            return Finding(span, what, why_not=why_not)
        restores = self._restores(site) is not None
        if _is_storage(site) and not restores:
            return Finding(span, what, why_not=reasons.STORAGE_TO)
        assumed = choice.premises
        if not restores:
            assumed = unite(self._named(site), assumed, receiver.premise, escapes(self.context, site))
        edits = (*choice.inserts, *self._moved_to(site, choice.text), *self._reworded(site))
        if site.guard is None and not choice.inserts:
            edits = self.context.get(TensorCreation).created_above([site], site.stmt, [site.stmt], choice.text) or edits
        return Finding(span, what, edits, assumed, device=choice.text, hint=self._hint(site, choice))

    def _device_of_tensor(self, site: Site) -> Choice | None:
        """The device of the tensor that the call itself names: ``x.cuda(y.get_device())``, ``x.cuda().type_as(y)``."""
        if site.extra is not None:
            device, premise = lies_with(self.context, site)
            return Choice(device, premises=unite(premise), number=self.context.text(site.extra)) if device else None
        along = taken_along(self.context, site)
        return Choice(along) if along else None

    def _is_clear(self, argument: ast.expr, site: Site, choice: Choice | None) -> bool:
        """Whether the argument of ``.cuda(…)`` is the GPU of the choice, a device that may be the CPU, or the file's only GPU."""
        text = self.context.text(argument)
        if choice is not None and choice.number == text:
            return True
        if self._is_agnostic(argument, site):
            return choice is None or choice.text == text
        return choice is None and self._one_gpu.is_current(site)

    def _why_not_moved(self, site: Site, receiver: Receiver) -> Reason | None:
        """Why a move stays, whatever the device."""
        if receiver.verdict == "own":
            return receiver.why_not
        return self.context.get(Refusals).of(site) or self.index_reason(site)

    def _why_not_chosen(self, choice: Choice) -> Reason | None:
        """Why there is no device, or none can be defined."""
        return choice.why_not or (self.untestable if choice.inserts else None)

    def _reworded(self, site: Site) -> tuple[Edit, ...]:
        """The edits of the comments about the destination of a move, with the first move of its statement."""
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
        """The edits that move to `device`: of the call, or of the function in `map_location`, which may be replaced by a device."""
        restores = self._restores(site)
        if restores is None:
            return self.edits.call_edits(site, device)
        return (Replace(self.context.span(restores), device, self.context.text(restores)),)

    def _restores(self, site: Site) -> ast.Lambda | None:
        """The function of ``map_location=lambda storage, loc: storage.cuda()``, where the move is all that it does."""
        function = self._map_locations.get(site.node)
        if function is None:
            return None
        moved = site.node.func.value  # type: ignore[attr-defined]
        return function if any(is_name(moved, a.arg) for a in function.args.args[:1]) else None

    @cached_property
    def _map_locations(self) -> dict[ast.expr, ast.Lambda]:
        """The functions that are the ``map_location`` of a call, by their bodies."""
        found: dict[ast.expr, ast.Lambda] = {}
        for call, stmt in self.context.index.calls:
            given = [k.value for k in call.keywords if k.arg == "map_location"]
            if call.args[1:] and self.context.tree.qualname(call.func, stmt.scope) == "torch.load":
                given.append(call.args[1])
            found.update((function.body, function) for function in given if isinstance(function, ast.Lambda))
        return found

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
                found = self.literal_definition(site) if not self.is_chosen(site) else None
                # a default that stays is not wrong: the caller may give another device
                if found is not None and (found.edits or site.form != "default"):
                    yield found
            else:
                yield self.literal(site)

    def defaults(self) -> Iterator[Finding]:
        """Every parameter whose default is a device of CUDA."""
        from placefix.rules.cuda.default_arguments import defaults

        return defaults(self.context)

    def numbers(self) -> Iterator[Finding]:
        """Every call of `get_device()` on a tensor in a place that needs a device."""
        from placefix.rules.cuda.get_device_calls import numbers

        return numbers(self.context)

    def literal(self, site: Site, choice: Choice | None = None) -> Finding:
        """The respelling of "cuda" as an argument."""
        assert site.literal is not None and isinstance(site.node, ast.Call)
        span, what = self.context.span(site.literal), f"`{self.context.text(site.literal)}`"
        if isinstance(site.literal, ast.Constant) and not isinstance(site.literal.value, str):
            what = f"`.to({self.context.text(site.literal)})`"
        receiver = self.cuda.receivers.judge(site.node, site.stmt) if site.form == "to" else Receiver("torch")
        if why_not := self._why_not_moved(site, receiver):
            return Finding(span, what, why_not=why_not)
        choice = choice or self.site_devices.choose(site)
        if why_not := self._why_not_chosen(choice):
            return Finding(span, what, why_not=why_not)
        if site.form == "to":
            premise = receiver.premise if self._is_object(choice, site) else None
        else:
            premise, reason = self._accepted(site, choice)
            if reason:
                return Finding(span, what, why_not=reason)
        edits = (*choice.inserts, *self.edits.site_edits(site, choice.text), *self._reworded(site))
        assumed = unite(self._named(site), choice.premises, premise, escapes(self.context, site))
        return Finding(span, what, edits, assumed, device=choice.text, hint=self._hint(site, choice))

    def _hint(self, site: Site, choice: Choice) -> Reason | None:
        """Which target-torch would give a device that a fix defines another spelling, None where none would."""
        return (
            self.devices.idiom.hint(self.site_devices.served(site)) if choice.inserts and site.guard is None else None
        )

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
        if site.form == "default":
            what = messages.DEFAULT_WORD.format(word=what, name=self._bound_name(site))
        torch = self.context.get(TorchImports).name_at(site.stmt)
        why_not = self._why_not_defined(site) or (reasons.TORCH_NOT_NAMED if torch is None else None)
        if why_not or torch is None:
            return Finding(span, what, why_not=why_not)
        # The body of a class runs with the file: a flag further down is none.
        flag = self.devices.flag_before(self.context.tree.module_statement(site.stmt) or site.stmt)
        beyond = self.site_devices.beyond_flag(site, *flag) if flag is not None else ()
        if flag is None or beyond is None:
            flag, beyond = None, self._after_test(site)
            question = f"{torch}.{self.accelerator.available}()"
        else:
            test, positive = flag
            question = test.text if positive else opposite(test.text)
        cpu = f'{torch}.device("cpu")' if isinstance(site.literal, ast.Call) else '"cpu"'
        edit, idiom, stmts = Replace(span, f"{text} if {question} else {cpu}", text), self.devices.idiom, [site.stmt]
        assumed = self._premises_of_definition(site, beyond, follows_flag=flag is not None)
        whole = flag is None and site.literal is not site.node and not site.index  # a name of a device stays one
        if whole and idiom.is_accelerators(stmts):
            edit = Replace(self.context.span(site.node), idiom.device(torch, stmts), self.context.text(site.node))
            assumed = unite(idiom.premise, assumed)
        self.context.cuda_tests[edit] = site.stmt.scope
        self.context.chosen_devices.add(edit)
        hint = idiom.hint(stmts) if whole else None
        told = self.context.get(DefaultWords).help_edits(site.literal, site.stmt) if site.form == "default" else ()
        return Finding(span, what, (edit, *told), assumed, device=edit.text, hint=hint)

    def _why_not_defined(self, site: Site) -> Reason | None:
        """Why a definition of a device stays."""
        why_not = self.context.get(Refusals).of(site)
        if not why_not and len(self._bindings(site)) > 1:
            return reasons.BOUND_SEVERAL_TIMES
        if self.accelerator is not CUDA:
            return why_not or self.untestable or self.index_reason(site)
        return why_not

    def _premises_of_definition(
        self, site: Site, beyond: tuple[Premise, ...], *, follows_flag: bool
    ) -> tuple[Premise, ...]:
        """The premises of a device that is the CPU without CUDA; `beyond`: those of the flag, or of a new test."""
        name = self._bound_name(site)
        title = self.accelerator.title if self.accelerator.names(last(name)) else ""
        return unite(
            beyond if not follows_flag else (),
            premises.NAME_WOULD_NOT_MATCH(name=name, accelerator=title) if title else None,
            premises.CPU_FOR_NUMBERED_GPU(index=site.index) if site.index else None,
            self._reason(site),
            beyond if follows_flag else (),
        )

    def _bound_name(self, site: Site) -> str:
        """The name that a definition binds, or whose default it is."""
        if site.form != "default":
            return assigned_text(site.stmt.node)
        return next(word.name for word in self.context.get(DefaultWords).found if word.node is site.node)

    def _after_test(self, site: Site) -> tuple[Premise, ...]:
        """The premises of code that runs after a new test for CUDA."""
        forks = self.context.tree.module_statement(site.stmt) is not None and self.devices.forks
        return unite(
            premises.FORKS_AFTER_TEST if forks else None,
            premises.IMPORTERS_CHOOSE_GPUS if self.devices.asked_on_import(site.stmt) else None,
            premises.VISIBLE_GPUS_CHOSEN_LATER if self.devices.chosen_after(site.stmt) else None,
            premises.TEST_ON_IMPORT if site.stmt.scope.is_class and self.context.get(Execution).is_library else None,
        )

    def is_chosen(self, site: Site) -> bool:
        """Whether a definition is one of several among which something else decides, or one that nothing reads."""
        return self.devices.chosen(self._bindings(site)) or self._is_unread(site)

    def _is_unread(self, site: Site) -> bool:
        """Whether nothing reads the name that a definition binds: ``torch.device("cuda")`` alone does not fail without CUDA."""
        name, scope = assigned_name(site.stmt.node), site.stmt.scope
        if not name or scope.declares(name) or self.context.index.may_read_by_text(scope):
            return False
        return self.context.get(Execution).is_read_here_only(scope) and not self.context.index.loads(name, scope)

    def _bindings(self, site: Site) -> list[AttributeWrite]:
        """The assignments in the scope to the name that a definition binds; not those for the case that the caller gives a device."""
        text, owner = assigned_text(site.stmt.node), site.stmt.parent
        default = (
            owner
            if owner is not None and isinstance(owner.node, ast.If) and finds_none_given(owner.node.test)
            else None
        )
        found = [w for w in self.devices.index.writes.get(text, ()) if w.stmt.scope is site.stmt.scope]
        return [w for w in found if default is None or w.stmt.parent is not default or w.stmt.suite is site.stmt.suite]

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
        """Whether a function with a device argument is torch's, or a method of a tensor."""
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


def _is_word(value: ast.expr | None) -> bool:
    """Whether an expression gives the name of a device: a string, or a choice of them."""
    if isinstance(value, ast.IfExp):
        return _is_word(value.body) and _is_word(value.orelse)
    return isinstance(value, ast.JoinedStr) or (isinstance(value, ast.Constant) and isinstance(value.value, str))
