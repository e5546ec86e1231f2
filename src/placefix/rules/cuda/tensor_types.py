"""Tensor types of CUDA: ``torch.cuda.FloatTensor(…)``, ``x.type(torch.cuda.FloatTensor)`` and names for them.

A type has two parts, the dtype and the device. Rewritten, the device is
explicit: ``torch.FloatTensor(…).to(device)``, ``x.to(device, torch.float32)``.
"""

from __future__ import annotations

import ast
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

from placefix import torch_model
from placefix.diagnostic import Delete, Replace, Span
from placefix.facts import premises, reasons
from placefix.facts import torch_api as api
from placefix.facts.context import FileAnalysis, requires
from placefix.facts.devices.cuda_uses import Site
from placefix.facts.devices.device_selection import Devices
from placefix.facts.devices.execution import Execution
from placefix.facts.devices.torch_imports import TorchImports
from placefix.facts.finding import Finding
from placefix.facts.interpret.flow import Flow
from placefix.facts.interpret.provenance import Provenance
from placefix.facts.naming import names_settings
from placefix.facts.program.assignments import assigned_name
from placefix.facts.program.ast_names import dotted, parameters
from placefix.facts.program.ast_walk import walk
from placefix.facts.program.conditions import AVAILABLE
from placefix.facts.program.device_values import condition
from placefix.facts.program.statement_forms import is_elif
from placefix.facts.wording import unite
from placefix.rules import messages
from placefix.rules.cuda.comments import unignored
from placefix.rules.cuda.gpu_requirements import Intents
from placefix.rules.cuda.refusals import Refusals
from placefix.rules.cuda.site_devices import SiteDevices
from placefix.rules.cuda.tensor_creation import TensorCreation
from placefix.rules.cuda.tensor_type_aliases import TypeAlias, TypeAliases
from placefix.rules.cuda.use_sites import Cuda

if TYPE_CHECKING:
    from collections.abc import Iterator, Set

    from placefix.diagnostic import Edit
    from placefix.facts.program.conditions import Test
    from placefix.facts.program.expression_index import AttributeWrite
    from placefix.facts.program.tree import Scope, Stmt
    from placefix.facts.wording import Premise, Reason
    from placefix.rules.cuda.device_choice import Choice

# Calls whose results are numbers, sizes, lists or arrays: never tensors.
_PLAIN_CALLS = frozenset({"len", "int", "float", "list", "tuple", "range", "sum", "max", "min", "round", "sorted"})
_PLAIN_ATTRIBUTES = frozenset({"shape", "ndim"})
_PLAIN = (
    ast.Constant, ast.List, ast.Tuple, ast.ListComp, ast.Starred, ast.JoinedStr, ast.Compare, ast.BoolOp,
)  # fmt: skip


def _is_plain_method(name: str) -> bool:
    return torch_model.is_answer(name) or name in ("numpy", "astype")


class _TypeUse(NamedTuple):
    """A call that a tensor type takes part in: it makes a tensor (``T(…)``) or casts one (``x.type(T)``)."""

    call: ast.Call
    stmt: Stmt
    type: ast.expr  # where T is written
    kind: str  # the last part of T's name, as FloatTensor

    @property
    def casts(self) -> bool:
        """Whether the type is an argument of `.type(…)`, not called itself."""
        return self.type is not self.call.func


class TypeFinding(NamedTuple):
    """finding: the finding with its fix; flagged: whether a test for CUDA guards the type, so that it runs anywhere."""

    finding: Finding
    flagged: bool


class TensorTypes(FileAnalysis):
    """PF407 for one file."""

    cuda = requires(Cuda)
    devices = requires(Devices)
    creation = requires(TensorCreation)

    @cached_property
    def _calls(self) -> dict[int, ast.Call]:
        return {id(call.func): call for call, _ in self.index.calls}

    @cached_property
    def _casts(self) -> dict[int, ast.Call]:
        casts = (call for call, _ in self.index.called("type"))
        return {
            id(call.args[0]): call for call in casts if isinstance(call.func, ast.Attribute) and len(call.args) == 1
        }

    def uses(self) -> Iterator[TypeFinding]:
        """Every use of a type of CUDA tensors that a device can replace."""
        if not self.cuda.types:
            return
        groups = self.context.get(TypeAliases).groups()
        for group in groups:
            found = self._of_aliases(group)
            if found is not None:
                yield TypeFinding(found, group[0].test is not None)
        known = {id(w.value) for group in groups for alias in group for w in alias.writes}
        for writes in self.index.writes.values():
            for write in writes:
                if write.value is not None and id(write.value) not in known:
                    found = self._bound(write, write.value)
                    if found is not None:
                        yield TypeFinding(found, False)
        for call, stmt in self.index.calls:
            found = self._default(call, stmt)
            if found is not None:
                yield TypeFinding(found, False)
        for site in self.cuda.sites:
            if site.names_type and site.guard is None and not self.context.get(Intents).required(site):
                yield TypeFinding(self._of_use(site), False)

    def _default(self, call: ast.Call, stmt: Stmt) -> Finding | None:
        """``torch.set_default_tensor_type(torch.cuda.FloatTensor)``: the type becomes a choice."""
        if len(call.args) != 1 or self.tree.qualname(call.func, stmt.scope) != "torch.set_default_tensor_type":
            return None
        given = call.args[0]
        kind = self.cuda.tensor_type(given, stmt.scope)
        site = Site("tensor", call, stmt, given, None, None, self.cuda.guard(call, stmt))
        torch = self.context.get(TorchImports).name_at(stmt)
        if not kind or site.guard is not None or torch is None or self.context.get(Intents).required(site):
            return None
        span, text = self.context.span(given), self.context.text(given)
        reason = self.context.get(Refusals).of(site)
        if reason:
            return Finding(span, f"`{text}`", why_not=reason)
        cpu = f'"torch.{kind}"' if isinstance(given, ast.Constant) else f"{torch}.{kind}"
        new = f"{text} if {torch}.cuda.is_available() else {cpu}"
        return Finding(span, f"`{text}`", (Replace(span, new, text),), device=cpu)

    def _bound(self, write: AttributeWrite, value: ast.expr) -> Finding | None:
        """A type of CUDA tensors under a name that is not understood as one; or a choice between several of them."""
        arms = [value.body, value.orelse] if isinstance(value, ast.IfExp) else [value]
        kinds = [self.cuda.tensor_type(arm, write.stmt.scope) for arm in arms]
        if not all(kinds):
            return None
        site = Site("tensor", value, write.stmt, None, None, None, self.cuda.guard(arms[0], write.stmt))
        if site.guard is not None or self.context.get(Intents).required(site):
            return None
        span, what = self.context.span(value), f"`{write.text}`"
        uses = self._uses_as_cast(write)
        reason = self.context.get(Refusals).of(site) or (
            None if uses else reasons.TYPE_ASSIGNED_OR_USED(name=write.text)
        )
        if reason:
            return Finding(span, what, why_not=reason)
        # only casts: the name can become the dtype, and the device is given next to it
        texts, inserts = self._device(None, True, list(dict.fromkeys(u.stmt for u in uses)))
        torch = self.context.get(TorchImports).name_at(write.stmt)
        if not texts or torch is None or not self.context.get(Execution).is_read_here_only(write.stmt.scope):
            return Finding(span, what, why_not=reasons.NO_DEVICE_FITS_OR_IMPORTED)
        edits: list[Edit] = [*inserts]
        for arm, kind in zip(arms, kinds, strict=True):
            edits.append(Replace(self.context.span(arm), f"{torch}.{api.TENSOR_TYPES[kind]}", self.context.text(arm)))
        for use in uses:
            edits += self._cast(use, texts[use.stmt], write.text)
        assumed = unite(*map(self._premise, uses))
        return Finding(span, what, tuple(edits), assumed, device=next(iter(texts.values())))

    def _uses_as_cast(self, write: AttributeWrite) -> list[_TypeUse]:
        """The uses of a name for a type, bound once, if all of them cast a tensor to it in ways that can be written with a device; else none."""
        scope = write.stmt.scope
        uses = self._uses_of(write.text, scope, "") if "." not in write.text else None
        once = len(scope.bindings.get(write.text, ())) == 1
        return uses if uses and once and all(u.casts and not self._why_not(u) for u in uses) else []

    # --- one use --------------------------------------------------------------------------------

    def _of_use(self, site: Site) -> Finding:
        choice = self.context.get(SiteDevices).choose(site)
        found = self.made(site, choice)
        return found._replace(edits=(*choice.inserts, *found.edits)) if found.edits else found

    def made(self, site: Site, choice: Choice) -> Finding:
        """A use of a type with a device in its place; the edits that define the device are not among them."""
        assert isinstance(site.node, ast.Call) and site.literal is not None
        use = _TypeUse(site.node, site.stmt, site.literal, self.cuda.tensor_type(site.literal, site.stmt.scope))
        span, what = self.context.span(use.type), f"`{self.context.text(use.type)}`"
        torch = self.context.get(TorchImports).name_at(use.stmt)
        reason = (
            self.context.get(Refusals).of(site)
            or self._why_not(use)
            or choice.why_not
            or (None if torch else reasons.TORCH_NOT_NAMED)
        )
        if reason or torch is None:
            return Finding(span, what, why_not=reason)
        return Finding(
            span,
            what,
            self._edits(use, choice.text, torch),
            unite(choice.premises, self._premise(use)),
            device=choice.text,
        )

    def _why_not(self, use: _TypeUse) -> Reason | None:
        """Why a use cannot be written with a device, None where it can."""
        given = {k.arg for k in use.call.keywords}
        if given - ({"non_blocking"} if use.casts else set()):
            return reasons.KEYWORD_ARGUMENTS
        if len(use.call.args) == 1 and not use.casts and self._tensor(use.call.args[0], use.stmt):
            return reasons.ARGUMENT_IS_TENSOR
        return None

    def _premise(self, use: _TypeUse) -> Premise | None:
        """The premise about the value that the type is applied to; None if its type is proven."""
        if use.casts:
            assert isinstance(use.call.func, ast.Attribute)
            receiver = use.call.func.value
            if self._tensor(receiver, use.stmt) or self._holds_tensors(use.call):
                if self.context.get(Execution).is_script or not self._handed(receiver, use.stmt):
                    return None
                return premises.NOT_ON_ANOTHER_GPU(name=self._short(receiver))
            return premises.TENSOR_NOT_MODULE(name=self._short(receiver))
        if len(use.call.args) != 1 or self._plain(use.call.args[0], use.stmt):
            return None
        return premises.SIZE_LIST_OR_ARRAY(name=self._short(use.call.args[0]))

    def _holds_tensors(self, call: ast.Call) -> bool:
        """Whether the receiver of a method is a tensor, or an item of a loader, wherever the file calls it."""
        held = self.context.get(Flow).values.get(call, ())
        return bool(held) and all(value.is_tensor_like for value in held)

    def _handed(self, expr: ast.expr, stmt: Stmt) -> bool:
        """Whether an expression may be made from a caller's argument, on any GPU: a type alone does not move it."""
        if not stmt.scope.is_function or self._made_here(expr, stmt):
            return False
        given = parameters(stmt.scope.function.args).keys()
        return any(
            isinstance(part, ast.Name) and (part.id in given or self._from(part.id, stmt, given)) for part in walk(expr)
        )

    def _from(self, name: str, stmt: Stmt, given: Set[str], depth: int = 0) -> bool:
        """Whether a name is made from the arguments of its function."""
        writes = [w for w in self.creation.values_before(name, stmt) if w.stmt is not stmt] if depth < 4 else []
        values = [w.value for w in writes if w.value is not None and not self._made_here(w.value, w.stmt)]
        names = {part.id for value in values for part in walk(value) if isinstance(part, ast.Name)} - {name}
        return bool(names & given) or any(self._from(other, stmt, given, depth + 1) for other in names)

    def _made_here(self, expr: ast.expr, stmt: Stmt) -> bool:
        return self.context.get(Provenance).is_made_on_host(expr, stmt.scope)

    def _short(self, expr: ast.expr) -> str:
        text = self.context.text(expr)
        return text if len(text) <= 40 and "\n" not in text else messages.GIVEN

    def _tensor(self, expr: ast.expr, stmt: Stmt, depth: int = 0) -> bool:
        """Whether an expression is shown to be a tensor (and no module)."""
        if self.cuda.receivers.is_tensor(expr, stmt):
            return True
        return (
            isinstance(expr, ast.Name)
            and depth < 4
            and self.creation.is_every_value(expr.id, stmt, lambda value, s: self._tensor(value, s, depth + 1))
        )

    def _plain(self, expr: ast.expr, stmt: Stmt, depth: int = 0) -> bool:
        """Whether an expression is a number, a size, a list or an array."""
        if depth > 5:
            return False
        if isinstance(expr, _PLAIN):
            return True
        if isinstance(expr, ast.BinOp):
            return self._plain(expr.left, stmt, depth + 1) and self._plain(expr.right, stmt, depth + 1)
        if isinstance(expr, ast.UnaryOp):
            return self._plain(expr.operand, stmt, depth + 1)
        if isinstance(expr, ast.Subscript):
            return self._plain(expr.value, stmt, depth + 1)
        if isinstance(expr, ast.Call):
            return self._gives_plain(expr, stmt, depth)
        if isinstance(expr, ast.Attribute):
            return expr.attr in _PLAIN_ATTRIBUTES or names_settings(dotted(expr).partition(".")[0])
        return isinstance(expr, ast.Name) and self.creation.is_every_value(
            expr.id, stmt, lambda value, where: self._plain(value, where, depth + 1)
        )

    def _gives_plain(self, call: ast.Call, stmt: Stmt, depth: int) -> bool:
        """Whether the result of a call is a number, a size, a list or an array."""
        func = call.func
        name = self.tree.qualname(func, stmt.scope) or ""
        if name.partition(".")[0] in ("numpy", "math", "random") or name == "torch.Size":
            return True
        if isinstance(func, ast.Attribute):
            return _is_plain_method(func.attr) or self._plain(func.value, stmt, depth + 1)
        return (
            isinstance(func, ast.Name) and not name and func.id in _PLAIN_CALLS and stmt.scope.lookup(func.id) is None
        )

    def _edits(self, use: _TypeUse, device: str, torch: str) -> tuple[Edit, ...]:
        call, source = use.call, self.context.source
        written = self.context.span(use.type)
        dtype = f"{torch}.{api.TENSOR_TYPES[use.kind]}"
        if use.casts:
            return self._cast(use, device, dtype)
        out = self._written_into(use)
        if out is not None:
            span = source.span(out)
            return (Replace(span, f"dtype={dtype}, device={device}", source.segment(span)),)
        created = self.creation.of_type(call, use.kind, self._fills.get(call, call), use.stmt, device)
        if created:
            return (*created, *unignored(self.context, call, use.stmt))
        end = self.context.span(call).end
        kept = Replace(written, f"{torch}.{use.kind}", source.segment(written))
        return (kept, Replace(Span(end, end), f".to({device})", ""))

    def _written_into(self, use: _TypeUse) -> ast.keyword | None:
        """The ``out=`` of ``torch.arange(n, out=torch.cuda.LongTensor(n))``, of which nothing else has the tensor; None for other uses."""
        for call, stmt in self.index.called("arange"):
            out = next((k for k in call.keywords if k.arg == "out" and k.value is use.call), None)
            if out is not None and self.tree.qualname(call.func, stmt.scope) == "torch.arange":
                sized = all(isinstance(a, (ast.Name, ast.Constant, ast.Attribute)) for a in use.call.args)
                return out if sized and not {k.arg for k in call.keywords} & {"dtype", "device", None} else None
        return None

    def _cast(self, use: _TypeUse, device: str, dtype: str) -> tuple[Replace, ...]:
        """``x.type(T)`` -> ``x.to(device, dtype)``."""
        end, written = self.context.span(use.call.func).end, self.context.span(use.type)
        cast = Replace(Span(end - len("type"), end), "to", "type")
        return (cast, Replace(written, f"{device}, {dtype}", self.context.source.segment(written)))

    @cached_property
    def _fills(self) -> dict[ast.AST, ast.Call]:
        """The calls that fill a tensor, by the filled expression."""
        calls = self.index.called("fill_", "zero_")
        return {call.func.value: call for call, _ in calls if isinstance(call.func, ast.Attribute)}

    # --- names for a type ------------------------------------------------------------------------

    def _of_aliases(self, group: list[TypeAlias]) -> Finding | None:
        first = group[0]
        names = " and ".join(f"`{a.name}`" for a in group)
        value = first.writes[0].value
        assert value is not None
        span = self.context.span(first.writes[0].stmt)
        uses: list[_TypeUse] = []
        for alias in group:
            mine = self._uses_of(alias.name, alias.scope, alias.kind)
            if mine is None:
                return Finding(span, names, why_not=reasons.TYPE_USED(name=alias.name))
            uses += mine
        if not uses:
            return None
        site = Site("tensor", value, first.writes[0].stmt)
        if self.context.get(Intents).required(site):
            return None
        reason = self.context.get(Refusals).of(site) or next(filter(None, map(self._why_not, uses)), None)
        gone = self._gone(group)
        if not reason and gone is None:
            reason = reasons.ASSIGNED_WITH_OTHERS
        if not reason and not self.context.get(Execution).is_read_here_only(first.scope):
            reason = reasons.MAY_BE_IMPORTED
        if reason or gone is None:
            return Finding(span, names, why_not=reason)
        return self._respelled(span, names, first, uses, gone)

    def _respelled(self, span: Span, names: str, alias: TypeAlias, uses: list[_TypeUse], gone: Delete) -> Finding:
        texts, edits = self._device(alias.test, alias.positive, list(dict.fromkeys(u.stmt for u in uses)))
        if not texts:
            return Finding(span, names, why_not=reasons.NO_DEVICE_FITS_TEST)
        done: list[Edit] = [*edits, gone]
        assumed: tuple[Premise, ...] = ()
        for use in uses:
            torch = self.context.get(TorchImports).name_at(use.stmt)
            if torch is None:
                return Finding(span, names, why_not=reasons.TORCH_NOT_NAMED)
            assumed = unite(assumed, self._premise(use))
            done += self._edits(use, texts[use.stmt], torch)
        return Finding(span, names, tuple(done), assumed, device=next(iter(texts.values())))

    def _uses_of(self, name: str, scope: Scope, kind: str) -> list[_TypeUse] | None:
        """The calls that a name of `scope` takes part in as a type; None where it is used in other ways."""
        found: list[_TypeUse] = []
        for node, stmt in self.index.read(name):
            if not isinstance(getattr(node, "ctx", None), ast.Load) or stmt.scope.lookup(name) is not scope:
                continue
            call = self._calls.get(id(node)) or self._casts.get(id(node))
            if call is None:
                return None
            found.append(_TypeUse(call, stmt, node, kind))
        if any(text.startswith(name + ".") for text in self.index.texts):
            return None
        return found

    def _gone(self, group: list[TypeAlias]) -> Delete | None:
        """The deletion of the statement that binds the names, if it does nothing else and its suite has others; else None."""
        bound = {w.stmt for a in group for w in a.writes}
        if not all(assigned_name(stmt.node) for stmt in bound):
            return None
        first = group[0].writes[0].stmt
        if len(group[0].writes) == 2:
            assert first.parent is not None
            if {s for suite in first.parent.suites for s in suite.stmts} != bound or is_elif(first.parent):
                return None
            first = first.parent
        return Delete((self.context.span(first),)) if len(first.suite.stmts) > 1 else None

    def _device(self, test: Test | None, positive: bool, stmts: list[Stmt]) -> tuple[dict[Stmt, str], tuple[Edit, ...]]:
        """The device for each statement, and the edits that define missing ones; empty if there is none."""
        key = AVAILABLE if test is None else condition(test, positive)
        if test is not None and not self._once(test):
            return {}, ()
        texts: dict[Stmt, str] = {}
        for stmt in stmts:
            reach = self.devices.at(stmt, key)
            if reach is None or (reach.meaning.index is not None and self.context.get(Refusals).selects):
                continue
            if reach.meaning.wide:
                return {}, ()
            texts[stmt] = reach.text
        missing = [s for s in stmts if s not in texts]
        if not missing:
            return texts, ()
        if any(self.devices.unproven(s) for s in missing):
            return {}, ()
        if any(self.devices.key_at(s) != key for s in missing):
            return {}, ()
        made = self.devices.definition(missing, self.devices.flag_at(missing[0]))
        if made is None and key == AVAILABLE:
            made = self.devices.definition(missing, None)
        if made is None:
            return {}, ()
        texts.update(dict.fromkeys(missing, made[0]))
        return texts, made[1]

    def _once(self, test: Test) -> bool:
        """Whether the names that a test reads are bound once: then the test has one answer everywhere."""
        return all(len(owner.bindings.get(name, ())) <= 1 for name, owner in test.roots) and all(
            len(self.index.written(text)) <= 1 for text in test.reads if "." in text
        )
