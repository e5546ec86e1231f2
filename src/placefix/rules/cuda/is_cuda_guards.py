"""Guards that test the device of a tensor: ``if x.is_cuda: y = y.cuda()`` is ``y = y.to(x.device)``.

The two differ if `x` is on another GPU than the current one. If `y` then meets
`x` in an operation, such a program raised, and nothing changes for those that ran.
"""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, NamedTuple

from placefix.facts import premises, reasons
from placefix.facts.devices.device_selection import Devices
from placefix.facts.interpret.class_summaries import ClassSummaries
from placefix.facts.interpret.provenance import Provenance
from placefix.facts.naming import names_settings, names_weight
from placefix.facts.program.arguments import receiver_name, self_class
from placefix.facts.program.ast_names import dotted, last_name, parameters
from placefix.facts.program.statement_forms import is_docstring
from placefix.facts.wording import unite
from placefix.rules.cuda.device_agreement import Meets
from placefix.rules.cuda.gpu_requirements import type_is
from placefix.rules.cuda.refusals import Refusals
from placefix.rules.cuda.use_sites import Cuda

if TYPE_CHECKING:
    from collections.abc import Sequence

    from placefix.facts.context import AnalysisContext
    from placefix.facts.devices.cuda_uses import Guard, Site
    from placefix.facts.devices.reaching_devices import Reach
    from placefix.facts.program.tree import Stmt
    from placefix.facts.wording import Premise, Reason
    from placefix.rules.cuda.receiver_types import Receiver

# Attributes of modules' parameters and of tensors.
# A packed sequence has these as well, and no .device.
_PACKED_TOO = frozenset(("is_cuda", "data"))
_OF_MODULES = frozenset(
    ("forward", "parameters", "named_parameters", "state_dict", "load_state_dict", "eval", "train", "modules")
)
_LONGEST = 60  # a device that takes more than this reads worse than the guard


class Anchor(NamedTuple):
    """A value that is on a GPU whenever a guard is true.

    subject: the text of the tensor, empty if the guard tests a device; device: the text of its
    device; others: the further tests of the guard; shown: whether it is proven to have a ``.device``.
    """

    subject: str
    device: str
    others: tuple[ast.expr, ...] = ()
    shown: bool = True

    @property
    def exact(self) -> frozenset[str]:
        """The arguments of ``.cuda(…)`` that name the very GPU."""
        found = {self.device, f"{self.device}.index"}
        return frozenset(found | {f"{self.subject}.get_device()"} if self.subject else found)


class Followed(NamedTuple):
    """How a move follows the tensor: the device, the premises, whether it does nothing if the guard is false; or why it does not."""

    device: str
    premises: tuple[Premise, ...] = ()
    idle: bool = False
    why_not: Reason | None = None


def anchor(context: AnalysisContext, guard: Guard) -> Anchor | None:
    """The value that is on a GPU whenever the guarded arm runs; None if the test does not show it."""
    test: ast.expr = guard.node.test
    if not guard.positive:
        if not (isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not)):
            return None
        test = test.operand
    parts = test.values if isinstance(test, ast.BoolOp) and isinstance(test.op, ast.And) and guard.positive else [test]
    for part in parts:
        found = _asked(context, part, guard.stmt)
        if found is not None and "\n" not in found.device and len(found.device) <= _LONGEST:
            return found._replace(others=tuple(p for p in parts if p is not part))
    return None


def only_moves_there(found: Anchor, sites: Sequence[Site]) -> bool:
    """Whether a guard only tests that a tensor is on a GPU, and perhaps that the one tensor in it is on the CPU:
    ``if x.is_cuda and not y.is_cuda: y = y.cuda()``."""
    moved = {
        dotted(s.node.func.value)
        for s in sites
        if isinstance(s.node, ast.Call) and isinstance(s.node.func, ast.Attribute)
    }
    return all(
        isinstance(other, ast.UnaryOp)
        and isinstance(other.op, ast.Not)
        and isinstance(other.operand, ast.Attribute)
        and other.operand.attr == "is_cuda"
        and moved == {dotted(other.operand.value)} != {""}
        for other in found.others
    )


def _asked(context: AnalysisContext, test: ast.expr, stmt: Stmt) -> Anchor | None:
    """The value that is on a GPU if a test is true."""
    answer = _own_answer(test, stmt)
    if answer is not None:
        return _asked(context, answer, stmt)
    device = _device_of_type_test(test)
    if device is not None:
        return _device(context, device, stmt)
    subject = _tested_tensor(test)
    if subject is None or not stable(subject) or _is_self(subject, stmt):
        return None
    if isinstance(subject, ast.Attribute) and subject.attr == "data" and _is_tensor(context, subject.value, stmt):
        subject = subject.value
    shown = _is_tensor(context, subject, stmt)
    if not shown and _may_be_options(subject):
        return None
    text = context.source.code(subject)
    return Anchor(text, f"{text}.device", shown=shown)


def _device_of_type_test(test: ast.expr) -> ast.expr | None:
    """`device` of ``device.type == "cuda"``; None for any other test."""
    left = test.left if isinstance(test, ast.Compare) and len(test.ops) == 1 and type_is(test, "cuda") else None
    return left.value if isinstance(left, ast.Attribute) else None


def _tested_tensor(test: ast.expr) -> ast.expr | None:
    """`x` of ``x.is_cuda`` and ``x.get_device() >= 0``; None for any other test."""
    if isinstance(test, ast.Attribute) and test.attr == "is_cuda":
        return test.value
    if not (isinstance(test, ast.Compare) and len(test.ops) == 1 and isinstance(test.left, ast.Call)):
        return None
    op, right, func = test.ops[0], ast.unparse(test.comparators[0]), test.left.func
    on_gpu = (isinstance(op, ast.GtE) and right == "0") or (isinstance(op, (ast.Gt, ast.NotEq)) and right == "-1")
    number = isinstance(func, ast.Attribute) and dotted(func).endswith(".get_device") and not test.left.args
    return func.value if isinstance(func, ast.Attribute) and on_gpu and number else None


def _own_answer(test: ast.expr, stmt: Stmt) -> ast.expr | None:
    """The expression that a method or property of the object returns (``self.is_cuda()``), if its body is only that; else None."""
    called = isinstance(test, ast.Call) and not test.args and not test.keywords
    asked = test.func if isinstance(test, ast.Call) and called else test
    if not (isinstance(asked, ast.Attribute) and isinstance(asked.value, ast.Name) and "cuda" in asked.attr):
        return None
    me = asked.value.id
    cls = self_class(stmt.scope.lookup(me), me)
    method = cls.functions.get(asked.attr) if cls is not None else None
    if method is None or self_class(method, me) is not cls:
        return None
    is_property = any(dotted(d) == "property" for d in method.function.decorator_list)
    body = [s.node for s in method.body.stmts if not is_docstring(s)]
    if len(body) != 1 or called == is_property:
        return None
    return body[0].value if isinstance(body[0], ast.Return) else None


def _device(context: AnalysisContext, device: ast.expr, stmt: Stmt) -> Anchor | None:
    """A device whose type is tested, that of a tensor or any other."""
    if not stable(device):
        return None
    held = device.value if isinstance(device, ast.Attribute) and device.attr == "device" else None
    of_tensor = held is not None and not _is_self(held, stmt) and _is_tensor(context, held, stmt)
    return Anchor(context.source.code(held) if held is not None and of_tensor else "", context.source.code(device))


def lies_with(context: AnalysisContext, site: Site) -> tuple[str, Premise | None]:
    """The device of the tensor whose GPU is the argument of ``.cuda(…)``: ``x.cuda(y.get_device())``, ``x.cuda(y.device)``; and the
    premise. No device for any other argument."""
    expr, subject = site.extra, None
    if isinstance(expr, ast.Call) and isinstance(expr.func, ast.Attribute) and expr.func.attr == "get_device":
        subject = expr.func.value if not expr.args and not expr.keywords else None
    elif isinstance(expr, ast.Attribute):
        held = expr.value if expr.attr == "index" else expr
        subject = held.value if isinstance(held, ast.Attribute) and held.attr == "device" else None
    if subject is None:
        return "", None
    device, premise = device_of(context, subject, site.stmt)
    return ("", None) if premise and isinstance(expr, ast.Attribute) else (device, premise)


def taken_along(context: AnalysisContext, site: Site) -> str:
    """The device of the tensor that takes a moved one with it at once: ``x.cuda().type_as(y)``, ``x.cuda().to(y)`` are on the device of `y`.
    "" for any other use."""
    node = context.get(_calls_on).get(site.node)
    if node is None or len(node.args) != 1 or node.keywords:
        return ""
    device, premise = device_of(context, node.args[0], site.stmt)
    # `type_as` takes nothing but a tensor
    return device if premise is None or _is_type_as(node) else ""


def _is_type_as(call: ast.Call) -> bool:
    return isinstance(call.func, ast.Attribute) and call.func.attr == "type_as"


def _calls_on(context: AnalysisContext) -> dict[ast.AST, ast.Call]:
    """The calls of ``.type_as`` and ``.to``, by receiver."""
    calls = context.index.called("type_as", "to")
    return {call.func.value: call for call, _ in calls if isinstance(call.func, ast.Attribute)}


def device_of(context: AnalysisContext, subject: ast.expr, stmt: Stmt) -> tuple[str, Premise | None]:
    """The device of the receiver of ``get_device()``, and the premise; none if it may be no tensor."""
    if not stable(subject) or _is_self(subject, stmt) or _may_be_options(subject):
        return "", None
    text = context.source.code(subject)
    if "\n" in text or len(text) > _LONGEST:
        return "", None
    premise = None if _shown(context, subject, stmt) else premises.DEVICE_ATTRIBUTE_OF_TENSOR(name=text)
    return f"{text}.device", premise


def _shown(context: AnalysisContext, subject: ast.expr, stmt: Stmt) -> bool:
    """Whether more than its ``.get_device()`` shows that it is a tensor: other objects have a method of that name."""
    if isinstance(subject, ast.Call) or (isinstance(subject, ast.Attribute) and _holds_tensor(subject.attr)):
        return True
    receivers = context.get(Cuda).receivers
    if receivers.is_tensor(subject, stmt, but=_PACKED_TOO) or receivers.usage.in_operation(subject, stmt):
        return True
    name = subject.id if isinstance(subject, ast.Name) else ""
    owner = stmt.scope.lookup(name) if name else None
    if owner is None or owner.cls is None or not owner.is_function or owner.name != "forward":
        return False
    fed = parameters(owner.function.args).keys() - {receiver_name(owner)}
    return name in fed and not _called(context, name) and context.get(ClassSummaries).of(owner.cls).is_module


def _holds_tensor(attr: str) -> bool:
    """Whether an attribute of that name is a parameter, or the data or gradient of a tensor."""
    return names_weight(attr) or attr in ("data", "grad")


def _called(context: AnalysisContext, text: str) -> bool:
    """Whether the file calls something of that name, or one of its methods as a module's: a module has no ``.device``."""
    calls = (dotted(call.func) for call, _ in context.index.calls)
    return any(func == text or (func.startswith(f"{text}.") and func[len(text) + 1 :] in _OF_MODULES) for func in calls)


def _may_be_options(expr: ast.expr) -> bool:
    """Whether it may be an object with a flag of that name."""
    return names_settings(last_name(expr))


def _is_self(expr: ast.expr, stmt: Stmt) -> bool:
    """Whether it is the object whose method this is."""
    return isinstance(expr, ast.Name) and self_class(stmt.scope.lookup(expr.id), expr.id) is not None


def _is_tensor(context: AnalysisContext, expr: ast.expr, stmt: Stmt) -> bool:
    """Whether an object with ``.is_cuda`` can only be a tensor, which has a ``.device`` as well: a packed sequence has none."""
    if isinstance(expr, ast.Call):
        return True  # next(….parameters())
    if isinstance(expr, ast.Attribute) and _holds_tensor(expr.attr):
        return True
    text = dotted(expr)
    if (
        text
        and any(s.scope is stmt.scope for _, s in context.index.read(f"{text}.get_device"))
        and not _called(context, text)
    ):
        return True
    return context.get(Cuda).receivers.is_tensor(expr, stmt, but=_PACKED_TOO) or context.get(
        Cuda
    ).receivers.usage.in_operation(expr, stmt)


def stable(expr: ast.expr) -> bool:
    """Whether an expression gives the same thing again a moment later: names, their attributes and items, the first parameter."""
    while True:
        if isinstance(expr, ast.Attribute) or (
            isinstance(expr, ast.Subscript) and isinstance(expr.slice, (ast.Constant, ast.Name))
        ):
            expr = expr.value
        elif (
            isinstance(expr, ast.Call)
            and dotted(expr.func) == "next"
            and len(expr.args) == 1
            and isinstance(expr.args[0], ast.Call)
        ):
            inner = expr.args[0]
            if not (isinstance(inner.func, ast.Attribute) and inner.func.attr == "parameters" and not inner.args):
                return False
            expr = inner.func.value
        else:
            return isinstance(expr, ast.Name)


def follow(context: AnalysisContext, site: Site, found: Anchor) -> Followed:
    """How the guarded ``.cuda()`` of a site follows the tensor that its guard tests."""
    call, guard = site.node, site.guard
    assert isinstance(call, ast.Call) and isinstance(call.func, ast.Attribute) and guard is not None
    receiver = context.get(Cuda).receivers.judge(call, site.stmt)
    why_not = _why_not_followed(context, site, found, receiver)
    if why_not is not None:
        return Followed("", why_not=why_not)
    moved, device = call.func.value, found.device
    met = context.get(Meets).local(site, found.subject) if found.subject else context.get(Meets).beyond(site, device)
    current = _current_gpus(context, site, found)
    assumed: list[Premise | None] = []
    if not found.shown and f"{device}." not in f"{context.source.code(guard.node.test)} {context.source.code(call)}":
        assumed.append(premises.DEVICE_ATTRIBUTE_OF_TENSOR(name=found.subject))
    if not (_names_gpu(context, site, found) or met or current):
        assumed.append(premises.CURRENT_GPU(device=device))
    if receiver.verdict == "assumed" and not met:
        assumed.append(receiver.premise)
    # without CUDA on the CPU, and `moved` with it
    on_host = met or bool(assumed) or any(not r.meaning.wide for r in current)
    made_here = on_host and context.get(Provenance).is_made_on_host(moved, guard.stmt.scope)
    idle = made_here or _meets_anyway(context, site, found)
    if not idle and isinstance(guard.node, ast.IfExp):
        test = context.source.code(guard.node.test)
        assumed.append(premises.THERE_WITHOUT_TEST(moved=context.text(moved), test=test))
        return Followed(device, unite(*assumed), True)
    return Followed(device, unite(*assumed), idle)


def _meets_anyway(context: AnalysisContext, site: Site, found: Anchor) -> bool:
    """Whether the moved value is used together with the tested tensor where the guard is false, too: it is on one device with that there."""
    return bool(found.subject) and context.get(Meets).tensor_beyond(site, found.subject)


def _why_not_followed(context: AnalysisContext, site: Site, found: Anchor, receiver: Receiver) -> Reason | None:
    """The reason why a guarded ``.cuda()`` may not follow; None if it may."""
    assert isinstance(site.node, ast.Call) and isinstance(site.node.func, ast.Attribute) and site.guard is not None
    if receiver.verdict == "own":
        return receiver.why_not
    if context.text(site.node.func.value) == found.subject:
        return reasons.OWN_REFERENCE(name=found.subject)
    if handled := context.get(Refusals).fallback(site.stmt):
        return handled
    if _rebound(context, found.device, site.guard, site.stmt):
        return reasons.REBOUND_BEFORE_MOVE(device=found.device)
    if (site.extra is not None or site.index is not None) and not _names_gpu(context, site, found):
        named = context.text(site.extra) if site.extra is not None else f"cuda:{site.index}"
        return reasons.MAY_BE_ANOTHER_GPU(device=named, tensor=found.subject or found.device)
    return None


def _names_gpu(context: AnalysisContext, site: Site, found: Anchor) -> bool:
    """Whether the argument of ``.cuda(…)`` is the GPU of the tensor that the guard tests: ``y.cuda(x.get_device())``."""
    return site.extra is not None and context.source.code(site.extra) in found.exact


def _current_gpus(context: AnalysisContext, site: Site, found: Anchor) -> list[Reach]:
    """The definitions of the device that a guard tests, if it is the current GPU whenever it is a GPU."""
    if found.subject:
        return []
    return [r for r in context.get(Devices).candidates(site.stmt) if r.text == found.device and _is_current(r)]


def _is_current(reach: Reach) -> bool:
    """Whether a device of the file is the current GPU whenever it is a GPU."""
    return (reach.agnostic or reach.meaning.is_cuda) and reach.meaning.index is None


def _rebound(context: AnalysisContext, device: str, guard: Guard, stmt: Stmt) -> bool:
    """Whether a statement of the guard before `stmt` binds a name that the device is read from."""
    root = device.partition(".")[0].partition("[")[0]
    bound = [
        w.stmt
        for text, writes in context.index.writes.items()
        for w in writes
        if device.startswith(text) and text.startswith(root)
    ]
    bound += context.index.binding(stmt.scope, root) if root.isidentifier() else []
    return any(b is not stmt and guard.stmt in b.ancestors() and b is not guard.stmt for b in bound)
