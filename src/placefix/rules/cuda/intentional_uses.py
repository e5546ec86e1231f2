"""Uses of CUDA that are correct unchanged, with the reason: one note for each guard or function.

Example: a guard around ``.cuda()`` that also does something else. The program runs without CUDA, but uses no other
accelerator; the note has the reason why no fix replaces the guard by a device.
"""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from placefix.diagnostic import Span
from placefix.facts import reasons
from placefix.facts.context import FileAnalysis, requires
from placefix.facts.finding import Finding
from placefix.facts.program.ast_names import called_names
from placefix.facts.program.ast_walk import walk
from placefix.rules.cuda.device_rewrite import DeviceRewrite
from placefix.rules.cuda.gpu_requirements import Intents, type_is
from placefix.rules.cuda.guard_removal import GuardRemoval
from placefix.rules.cuda.use_sites import Cuda

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator

    from placefix.facts.devices.cuda_uses import Guard, Site, SiteForm
    from placefix.facts.program.tree import Scope
    from placefix.facts.wording import Reason

# Code whose purpose shows that it needs CUDA. For tests this is obvious, and not reported.
_SILENT = (reasons.TEST_OF_CUDA, reasons.DECORATOR_NEEDS_GPU)


class IntentionalUses(FileAnalysis):
    """The intentional uses of one file: notes."""

    cuda = requires(Cuda)

    def guards(self, spoken: Collection[int] = (), forms: Collection[SiteForm] = ("cuda", "to")) -> Iterator[Finding]:
        """Guards that stay with the uses in them; none of those that start at an offset of `spoken`."""
        groups: dict[int, tuple[Guard, list[Site]]] = {}
        for site in self.cuda.sites:
            if site.guard is not None and site.form in forms and not self.context.get(Intents).required(site):
                start = self.context.span(site.guard.node).start
                if start not in spoken:
                    groups.setdefault(start, (site.guard, []))[1].append(site)
        for guard, sites in groups.values():
            span = self.context.span(guard.node)
            asked = self.context.text(guard.node.test)
            what = f"`{asked}`" if "\n" not in asked and len(asked) <= 60 else "its test"
            named = next((s for s in sites if s.extra is not None), None)
            why = self.context.get(GuardRemoval).moves.why_kept.get(guard.node)
            reason = self.reason_to_keep(sites[0])
            if named is not None and reason != reasons.FOLLOWS_OTHER_DEVICE:
                why = why or self.context.get(DeviceRewrite).call(named).why_not
            why = why or reason or next(filter(None, map(self.context.get(DeviceRewrite).index_reason, sites)), None)
            if not why and sites[0].names_type:
                why = reasons.TYPE_SELECTS_CODE
            if why:
                yield Finding(Span(span.start, self.context.span(guard.node.test).end), what, why_not=why)

    def functions(self, *forms: SiteForm) -> Iterator[Finding]:
        """Functions (or the module) whose code is for CUDA, from the first use of one of `forms` to the last."""
        groups: dict[tuple[Scope, Reason], list[Site]] = {}
        for site in self.cuda.sites:
            why = self.context.get(Intents).of(site) if site.form in forms else None
            if why and why not in _SILENT:
                groups.setdefault((site.stmt.scope, why), []).append(site)
        for (_, why), sites in groups.items():
            spans = [self.context.span(s.node) for s in sites]
            yield Finding(Span(min(s.start for s in spans), max(s.end for s in spans)), "", why_not=why)

    def reason_to_keep(self, site: Site) -> Reason | None:
        """Why a use is correct unchanged, and no finding; None if it is not, or that is unknown."""
        intent = self.context.get(Intents).of(site)
        guard = site.guard
        if intent or guard is None:
            return intent
        asked = self.context.source.code(guard.node.test)
        if _asks_for_device(guard.node.test):
            return (
                reasons.MOVES_FROM_CPU
                if guard.positive and _finds_on_cpu(guard.node.test)
                else reasons.FOLLOWS_OTHER_DEVICE
            )
        if guard.test is None and isinstance(guard.node.test, (ast.Name, ast.Attribute)):
            return reasons.TEST_NOT_KNOWN(test=asked)
        if guard.test is None:
            return reasons.GUARD_TESTS_MORE
        if isinstance(guard.node, ast.If) and self.context.get(GuardRemoval).does_more(guard):
            return reasons.GUARD_DOES_MORE
        return None


def _finds_on_cpu(test: ast.expr) -> bool:
    """``p.device.type == "cpu"``, ``not x.is_cuda``"""
    return type_is(test, "cpu") or (
        isinstance(test, ast.UnaryOp)
        and isinstance(test.op, ast.Not)
        and isinstance(test.operand, ast.Attribute)
        and test.operand.attr == "is_cuda"
    )


def _asks_for_device(test: ast.expr) -> bool:
    """Whether a test reads the device of a tensor: ``x.is_cuda``, ``x.get_device()``, ``x.device.type``."""
    return "get_device" in called_names(test) or any(
        isinstance(part, ast.Attribute)
        and (part.attr == "is_cuda" or (part.attr == "type" and getattr(part.value, "attr", "") == "device"))
        for part in walk(test)
    )
