"""Guards that test the number of a GPU and place on exactly that GPU: ``if args.gpu is not None: x = x.cuda(args.gpu)``."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, NamedTuple

from placefix.facts import premises, reasons
from placefix.facts.devices.device_selection import Devices
from placefix.facts.program.ast_names import dotted, has_name, is_name, keyword_value, parameters
from placefix.facts.program.command_options import options
from placefix.facts.program.conditions import Test
from placefix.facts.wording import unite
from placefix.rules.cuda.device_choice import Choice, not_known

if TYPE_CHECKING:
    from collections.abc import Sequence

    from placefix.facts.context import AnalysisContext
    from placefix.facts.devices.cuda_uses import Guard, Site
    from placefix.facts.program.tree import Scope, Stmt
    from placefix.facts.wording import Premise

_GPU = frozenset(("IsNot", "NotEq", "GtE", "Gt"))
_ORDERED = frozenset(("GtE", "Gt"))


class Numbered(NamedTuple):
    """The test of a guard for the number, the text of the number, and the premise if the test is no proof."""

    test: Test
    text: str
    premise: Premise | None


def numbered(context: AnalysisContext, guard: Guard, sites: Sequence[Site]) -> Numbered | None:
    """The number that a guard tests and all of its moves go to; None if there is none."""
    extras = {context.text(s.extra) for s in sites if s.extra is not None}
    extra = sites[0].extra
    if len(extras) != 1 or extra is None or any(s.form != "cuda" or s.extra is None for s in sites):
        return None
    scope, text = guard.stmt.scope, dotted(extra)
    test = (
        context.get(Devices).tests.of_one(guard.node.test, text, scope)
        if text
        else _of_item(context, guard.node.test, extra, scope)
    )
    text = text or context.text(extra)
    if test is None or _says_gpu(test.key) == test.negated or not guard.positive:
        return None
    if context.get(Devices).meaning(extra, scope) is not None and not _compared(test.key):
        return None  # a device, not a number
    if not (_ordered(test.key) or _integer(context, text, scope)):
        return Numbered(test, text, premises.GPU_NUMBER(number=text))
    given = next((name for s in sites if (name := _given(s))), "")
    return Numbered(test, text, premises.CALLER_LEFT_ON_CPU(name=given, test=test.text) if given else None)


def _of_item(context: AnalysisContext, test: ast.expr, extra: ast.expr, scope: Scope) -> Test | None:
    """The test that a guard makes of an item of a list of GPUs, ``self.gpus[0] != -1``, on which it then places; None if the
    guard has another test."""
    if not (
        isinstance(extra, ast.Subscript)
        and isinstance(extra.slice, ast.Constant)
        and isinstance(extra.slice.value, int)
    ):
        return None
    text, owner = context.text(extra), dotted(extra.value)
    root = scope.lookup(owner.partition(".")[0]) if owner else None
    if (
        root is None
        or not isinstance(test, ast.Compare)
        or len(test.ops) != 1
        or ast.dump(test.left) != ast.dump(extra)
    ):
        return None
    kind, limit = test.ops[0].__class__.__name__, ast.unparse(test.comparators[0])
    if (kind, limit) not in (("NotEq", "-1"), ("Gt", "-1"), ("GtE", "0")):
        return None
    key = ("compare", kind, ("item", text), ("constant", limit))
    return Test(context.text(test), key, False, ((owner.partition(".")[0], root),), (owner,))


def _given(site: Site) -> str:
    """The parameter that is moved: whoever calls the function without a number may have placed it."""
    node: ast.expr = site.node
    while isinstance(node, (ast.Call, ast.Attribute, ast.Subscript)):
        node = node.func if isinstance(node, ast.Call) else node.value
    scope = site.stmt.scope
    if not isinstance(node, ast.Name) or scope.lookup(node.id) is not scope or not scope.is_function:
        return ""
    return node.id if node.id in parameters(scope.function.args).keys() - {"self"} else ""


def choice(context: AnalysisContext, number: Numbered, stmt: Stmt, *, make: bool) -> Choice | None:
    """The device of that number, one in reach or a new one; None where one would have to be made and may not."""
    devices, flag = context.get(Devices), (number.test, True)
    text = devices.numbered(stmt, flag, number.text)
    if text:
        return Choice(text, (), unite(number.premise), number=number.text)
    if not make:
        return None
    other = next(
        (r.text for r in devices.candidates(stmt) if r.near and r.text != number.text), ""
    ) or devices.unproven(stmt)
    apart = bool(other) and devices.of_a_block(other, stmt)
    if other and other != number.text and not apart and not _read_from(context, number.text, other, stmt.scope):
        return not_known(other, number.test, below=devices.is_bound_below(other, stmt))
    made = devices.definition([stmt], flag, index=number.text)
    if made is None:
        return Choice(why_not=reasons.FLAG_NOT_ASSIGNED_YET(test=number.test.text))
    return Choice(made[0], made[1], unite(number.premise, apart_from(other) if apart else None), number=number.text)


def apart_from(device: str) -> Premise:
    """The premise about a device that is bound in another block, and may differ from that of the moved value."""
    return premises.DEVICE_OF_OWN_BLOCK(device=device)


def _read_from(context: AnalysisContext, number: str, other: str, scope: Scope) -> bool:
    """Whether the number is read from the other thing that is called a device: the option that holds it, or several."""
    writes = context.index.values(scope, number)
    return any(write.value is not None and has_name(write.value, other) for write in writes)


def _says_gpu(key: tuple[object, ...]) -> bool:
    """Whether yes means that there is a number."""
    if key[0] == "and":
        return all(isinstance(part, tuple) and _says_gpu(part) for part in key[1:])
    return key[0] in ("name", "attribute") or (key[0] == "compare" and key[1] in _GPU)


def _ordered(key: tuple[object, ...]) -> bool:
    """Whether it is compared by size: then it is a number in every run."""
    if key[0] == "and":
        return any(isinstance(part, tuple) and _ordered(part) for part in key[1:])
    return key[0] == "compare" and key[1] in _ORDERED


def _compared(key: tuple[object, ...]) -> bool:
    """Whether it is compared with a number."""
    if key[0] == "and":
        return any(isinstance(part, tuple) and _compared(part) for part in key[1:])
    return key[0] == "compare" and str(key[3][1]).lstrip("-").isdigit()  # type: ignore[index]


def _integer(context: AnalysisContext, text: str, scope: Scope) -> bool:
    """Whether the command line or an annotation makes it a whole number."""
    name = text.rpartition(".")[2]
    owner = scope.lookup(text)
    if owner is not None and owner.is_function:
        given = parameters(owner.function.args).get(text)
        said = context.text(given.annotation) if given is not None and given.annotation is not None else ""
        return said in ("int", "Optional[int]", "int | None", "None | int") and not context.index.binding(owner, text)
    if text == name or context.index.written(text):
        return False
    added = options(context.index).get(name, [])
    return bool(added) and all(
        is_name(keyword_value(call, "type"), "int") and keyword_value(call, "nargs") is None for call in added
    )
