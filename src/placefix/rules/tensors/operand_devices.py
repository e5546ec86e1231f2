"""The spellings of the device of a tensor that a creation meets, the best first.

All are proven to be one device wherever the program ran to its end, so the order is one of taste: a name that holds that device, the
tensor whose dtype or size the creation itself reads, another of its statement, the operand that it meets, an argument, other tensors, the
`device` of the module, then the tensors and layers that the module holds.
"""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from placefix.facts.program.arguments import self_name
from placefix.facts.program.ast_walk import header, walk
from placefix.facts.program.statement_forms import is_docstring
from placefix.torch_model import modules

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from placefix.facts.interpret.constraint_runs import ConstraintRun
    from placefix.facts.interpret.device_facts import Closure, Creation, Handed
    from placefix.facts.interpret.values import ClassInfo, Obj


def expressions(creation: Creation | Handed, run: ConstraintRun, certain: Closure) -> dict[str, None]:
    """Expressions in the creation's function of tensors on the creation's device, the best first."""
    together, tensors = certain.reached(creation.value)
    if len(together) == 1 and not tensors:
        return {}
    names = {n: v for n, v in creation.names.items() if n.isidentifier()}
    arguments = {a.arg for a in walk(creation.scope.function.args) if isinstance(a, ast.arg)}
    own, near = _names_in(creation.node), _names_in(*header(creation.stmt.node))
    beside = [n for n, v in names.items() if v in tensors]
    met = certain.met_directly(creation.value) if len(beside) > 1 or run.mappings else set()
    beside.sort(key=lambda n: (n not in own, n not in near, names[n] not in met, n not in arguments))
    found = [n for n, v in names.items() if v.is_device and v.base in together and not v.base.creations]
    found += (text for name in beside for text in _of_name(name, names[name], run, together, met))
    own_name = next((n for n, v in names.items() if v is run.instance), "")
    me = "self" if isinstance(creation.node, ast.Assign) else own_name
    found += _of_instance(me, run, together, tensors) if me else ()
    if isinstance(creation.node, ast.Assign):
        found += [f"{n}.device" for n, v in run.arguments_of.items() if v in tensors]
    return dict.fromkeys(found)


def _of_name(name: str, value: Obj, run: ConstraintRun, together: set[Obj], met: set[object]) -> Iterator[str]:
    """The device of a tensor by its name, or those of the items of a mapping that are where the creation is."""
    items = sorted(run.mappings.get(value, {}).items(), key=lambda one: one[0] not in met)
    yield from (f"{run.source.code(node)}.device" for item, node in items if item in together)
    if not items:
        yield f"{name}.device"


def _of_instance(me: str, run: ConstraintRun, together: set[Obj], tensors: set[Obj]) -> list[str]:
    """The devices of the tensors and layers of a module that are where the creation is; first its `device`, if that is one of them."""
    held = list(_of_module(me, run, together, tensors))
    own_device = _own_device(run.owner.info, me) if held and run.owner is not None else ""
    return [f"{me}.device", *held] if own_device in (f"next({me}.parameters()).device", *held) else held


def _of_module(me: str, run: ConstraintRun, together: set[Obj], tensors: set[Obj]) -> Iterator[str]:
    """The devices of the tensors and layers of a module that are where the creation is."""
    for attr, value in run.attributes.items():
        if value in tensors and run.is_kept(attr):
            yield f"{me}.{attr}.device"
        elif value in run.layers and value in together and not run.is_optional(attr):
            tensor = "weight" if modules.has_weight(run.layers[value]) else run.held_by.get(value, "")
            yield f"{me}.{attr}.{tensor}.device" if tensor else f"next({me}.{attr}.parameters()).device"


def _own_device(info: ClassInfo, me: str) -> str:
    """The expression that the property `device` of a class returns, if that is all it does: ``next(self.parameters()).device``."""
    method = info.methods.get("device") if "device" in info.properties else None
    body = [s.node for s in method.body.stmts if not is_docstring(s)] if method is not None else []
    given = body[0].value if len(body) == 1 and isinstance(body[0], ast.Return) else None
    return ast.unparse(given) if given is not None and method is not None and self_name(method) == me else ""


def named_partner(runs: Sequence[tuple[Creation, ConstraintRun]]) -> str:
    """The device of a tensor which the call that makes this one reads (``zeros(1, dtype=rest.dtype)``), and which it meets on every path,
    where that is made of tensors whose creations are moved together with this one; "" if there is none.

    Wherever the two were on one device they are so afterwards: both are on the device to which the others are moved."""
    first = runs[0][0]
    read = _names_in(first.node)
    for name in read.intersection(*(creation.names for creation, _ in runs)):
        if all(_is_made_with(creation, creation.names[name]) for creation, _ in runs):
            return f"{name}.device"
    return ""


def _is_made_with(creation: Creation, value: Obj) -> bool:
    """Whether a value is made of earlier creations that are moved together with this one, and meets it on every path."""
    made = {one.node for one in value.creations}
    if not made or creation.node in made or not made <= creation.fellows:
        return False
    if any(getattr(node, "lineno", 0) >= getattr(creation.node, "lineno", 0) for node in made):
        return False  # in a loop each might take its device from the other
    ways = [known | beside for known, beside in creation.exits]
    return bool(ways) and all({("meets", creation.value, value), ("tensor", value)} <= way for way in ways)


def _names_in(*parts: ast.AST) -> set[str]:
    """The names in parts of code."""
    return {node.id for part in parts for node in walk(part) if isinstance(node, ast.Name)}
