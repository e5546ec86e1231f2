"""Move a tensor the script makes to the device of its consumer.

Why:
    Factories like torch.randn make tensors on the CPU. Fed to a placed module, or mixed with
    a tensor on a device, they raise "Expected all tensors to be on the same device". So they do where
    they are indexed by a tensor of a device, where a mask or indices pick the items that are written, and where a distribution is made
    of them.

Severity:
    An error: the operation raises. A warning if the module that receives the tensor is not known and may move its inputs, if the
    evidence is that the function moves a tensor of the same kind, if the device is that of an argument,
    if `torch.as_tensor` gets a value that is not seen, which it leaves where it is, or if nothing shows that a copy on the CPU has a dimension.

Fix safety:
    Safe by default: a factory of torch gets `device=`, and `.to(device)` is appended to any other creation. So to random numbers: numbers
    drawn on the device differ from those drawn on the CPU and moved.

    | Situation | Fix | Why |
    | --- | --- | --- |
    | one creation, and every use may run on the device | safe | the operation raises otherwise; a creation in another function of the file is followed |
    | the CPU needs the tensor as well, or it keeps its gradient (`requires_grad`) | safe | the move is written at the use |
    | a function makes the tensor and uses it with one that it receives | safe, `.to(targets.device)` | right for every caller |
    | the same, if the parameter does not show its device and some calls are not seen | unsafe | another caller may want another device |
    | a function moves one of two tensors that it unpacks in one statement, or makes alike; the other meets it, or one module gets both | unsafe | the first move is the only evidence |
    | a function makes the tensor and uses it with one whose device it reads, or that it places | safe, `device=x.device` | wherever the function ran to its end, both were on one device |
    | the same, where another function of the file reads the device of an argument of that name | safe | as above |
    | the same, where the argument may be a number, and the other function is a method of the class | unsafe | it is a tensor by its name alone |
    | one arm of a test makes a tensor, or the tensors of a list, on a device and the other this one; a function returns this one, or passes it to a module, with a placed one | unsafe | the placed tensor is the only evidence |
    | a loop makes the tensor for its next round, and a module gets one on a device in the first | unsafe | the first one is the only evidence |
    | the state of a recurrent layer, which the script sets on its module: `net.hidden = torch.zeros(1, 1, n)` | safe | the layer raises otherwise |
    | a function makes the tensor, which meets on some paths one whose device it reads | unsafe | on the others it may be wanted on the CPU |
    | what has the name of a module (`generator`) gets it beside a tensor that the function places | unsafe | the module may move its inputs |
    | a function makes the tensor, which meets the result of code that is not seen, called with a tensor whose device the function reads | unsafe | the result may be elsewhere |
    | tensors of a distribution; a tensor indexed by one that is moved; the input of a module of which only the placement is known | unsafe | something is not seen |
    | tokens that an object of unknown class makes: `tokenizer(text, return_tensors="pt")` | unsafe | the object is not seen |
    | a module of which neither the code nor the place is known gets it beside an input on a device | unsafe | the module may move its inputs |
    | it is one of several tensors made one below the other, and the others are on a device | unsafe | the row is the only evidence |
    | it meets the result of an object that is placed and called with tensors, or a criterion of unknown class gets it with the output of a placed module | unsafe | the code that is called is not seen |
    | it meets the copy of another tensor on the CPU: `out.cpu() - y` | safe, `y.cpu()` | the operation raises otherwise; unsafe if nothing shows that the copy has a dimension |
    | the function gets a device, or binds a name to that of a tensor or module, and does not read it | unsafe | that is the only evidence |
    | 0-dim tensors; attributes of modules | not reported | they mix with other devices; a buffer is the repair |
    | a default device is set, here or by a script that imports the file, or the function or class uses a framework that places things | not reported | the creation may already be right |

Example:
    x = torch.randn(64, 10)  ->  x = torch.randn(64, 10).to(device)
    y = model.to(device)(x)      y = model.to(device)(x)
"""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

from placefix.diagnostic import matches_pattern
from placefix.prefilter.source_patterns import PLACES_SOMETHING
from placefix.rules import PF302, messages
from placefix.rules.common import misplaced, outside_frameworks, report
from placefix.rules.tensors.companion_batches import CompanionBatches
from placefix.rules.tensors.cpu_copies import CpuCopies
from placefix.rules.tensors.creation_rows import CreationRows
from placefix.rules.tensors.device_conflicts import Conflicts
from placefix.rules.tensors.distribution_parameters import priors
from placefix.rules.tensors.handed_tensors import ARM, ROUND, HandedTensors
from placefix.rules.tensors.ignored_devices import IgnoredDevices
from placefix.rules.tensors.module_tensors import ModuleTensors
from placefix.rules.tensors.script_tensors import HostTensors, makes_tensors
from placefix.rules.tensors.sibling_tensors import SiblingTensors
from placefix.rules.tensors.unmoved_batches import Batches

if TYPE_CHECKING:
    from collections.abc import Iterator

    from placefix.diagnostic import Diagnostic, Span
    from placefix.facts.context import AnalysisContext
    from placefix.facts.finding import Finding
    from placefix.facts.program.tree import Scope


def check(context: AnalysisContext) -> Iterator[Diagnostic]:
    """Report tensors that a script makes on the CPU and uses with tensors on a device."""
    return outside_frameworks(context, _reported)


def _reported(context: AnalysisContext) -> Iterator[Diagnostic]:
    if places(context):
        yield from _placed(context)
    else:
        reported = _Reported(context)
        yield from _siblings(context, reported)
        yield from _beside(context, reported)


def places(context: AnalysisContext) -> bool:
    """Whether the file places something; others may make tensors on the device of another one."""
    return matches_pattern(context.source.text.encode("ascii", "replace"), PLACES_SOMETHING[1])


def _placed(context: AnalysisContext) -> Iterator[Diagnostic]:
    reported = _Reported(context)
    made = tuple(context.get(HostTensors).misplaced()) if makes_tensors(context) else ()
    for found in (found for found in made if not reported.is_of_module(found)):
        reported.add(found)
        against = context.get(Conflicts).against(found.met)
        yield misplaced(PF302, found, messages.PF302, messages.PF302_FIX, against)
    for found, against in context.get(CompanionBatches).made_beside() if makes_tensors(context) else ():
        if not reported.has(found) and not reported.is_of_module(found):
            reported.add(found)
            yield misplaced(PF302, found, messages.PF302, messages.PF302_FIX, against)
    for found in priors(context):
        reported.add_names(found)
        yield misplaced(PF302, found, messages.PF302_PRIOR, messages.PF302_PRIOR_FIX)
    for found in context.get(CpuCopies).met():
        reported.add(found)
        text = messages.PF302_COPIED.format(name=found.name, row=found.beside)
        yield report(PF302, found, text, messages.PF302_COPIED_FIX)
    yield from _siblings(context, reported)
    yield from _fellows(context, reported)
    yield from _beside(context, reported)


def _siblings(context: AnalysisContext, reported: _Reported) -> Iterator[Diagnostic]:
    """Tensors that the function binds as others that it moves."""
    siblings = list(context.get(SiblingTensors).forgotten())
    batches = _Reported(context)  # by PF301
    for found in context.get(Batches).misplaced() if siblings else ():
        batches.add_names(found)
    for found in siblings:
        if not reported.has_names(found) and not batches.has_names(found):
            reported.spans.append(found.span)
            yield misplaced(PF302, found, messages.PF302_FELLOW, messages.PF302_FELLOW_FIX)


def _fellows(context: AnalysisContext, reported: _Reported) -> Iterator[Diagnostic]:
    """Tensors that the function treats as others that it places, or has a device for."""
    for found in context.get(CreationRows).left_behind():
        if not reported.has(found) and not reported.is_of_module(found):
            reported.add(found)
            text = messages.PF302_ROW.format(name=found.names[0], device=found.device)
            yield report(PF302, found, text, messages.PF302_FELLOW_FIX)
    for found in context.get(HandedTensors).forgotten():
        if not reported.has(found) and not reported.is_of_module(found):
            reported.spans.append(found.span)
            text = {ARM: messages.PF302_ARM, ROUND: messages.PF302_ROUND}.get(found.what, messages.PF302_FELLOW)
            yield misplaced(PF302, found, text, messages.PF302_FELLOW_FIX)
    for found in context.get(IgnoredDevices).tensors():
        if not reported.has_span(found) and not reported.is_of_module(found):
            reported.spans.append(found.span)
            text = messages.PF302_UNREAD.format(name=found.names[0], device=found.device)
            yield report(PF302, found, text, messages.PF302_BESIDE_FIX.format(device=found.device))


class _Reported:
    """The findings of the rule so far: their spans, and their names with the functions around them."""

    def __init__(self, context: AnalysisContext) -> None:
        self.context = context
        self.spans: list[Span] = []
        self._names: set[tuple[Scope, str]] = set()

    def add(self, found: Finding) -> None:
        """Record a finding."""
        self.spans.append(found.span)
        self.add_names(found)

    def add_names(self, found: Finding) -> None:
        """Record the names of a finding that is reported elsewhere."""
        self._names.update(self._names_in_function(found))

    def has(self, found: Finding) -> bool:
        """Whether a finding repeats the place or a name of another one."""
        return self.has_span(found) or self.has_names(found)

    def has_span(self, found: Finding) -> bool:
        """Whether a finding overlaps another one."""
        return any(_overlap(span, found.span) for span in self.spans)

    def has_names(self, found: Finding) -> bool:
        """Whether another finding in the function has a name of a finding."""
        return not self._names.isdisjoint(self._names_in_function(found))

    def is_of_module(self, found: Finding) -> bool:
        """Whether PF304 reports the tensor: the code of a module makes it, and knows the device to make it on. One that is moved at its use
        counts if that repair is proven."""
        made = self.context.get(Conflicts).creations(found.met)
        proven = {one.span for one in self._of_modules if one.edits and not one.premises}
        return any(_overlap(one.span, found.span) for one in self._of_modules) or (bool(made) and made <= proven)

    @cached_property
    def _of_modules(self) -> list[Finding]:
        return list(self.context.get(ModuleTensors).creations())

    def _names_in_function(self, found: Finding) -> Iterator[tuple[Scope, str]]:
        """The names in a finding, without attributes, with the function around it."""
        function = self.context.function_at(found.span.start)
        yield from ((function, name.partition(".")[0]) for name in found.names)


def _beside(context: AnalysisContext, reported: _Reported) -> Iterator[Diagnostic]:
    """Tensors that functions make, and that meet others."""
    for found in context.get(ModuleTensors).in_functions():
        if not reported.has_span(found):
            text = messages.PF302_BESIDE.format(name=found.names[0], device=found.device)
            yield report(PF302, found, text, messages.PF302_BESIDE_FIX.format(device=found.device))


def _overlap(one: Span, other: Span) -> bool:
    return one.start < other.end and other.start < one.end
