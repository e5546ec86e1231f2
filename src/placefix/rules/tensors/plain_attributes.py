"""Tensors that a module keeps as plain attributes, which stay on the CPU when the module is placed."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from placefix.diagnostic import Replace
from placefix.facts import premises, reasons
from placefix.facts.finding import Finding
from placefix.facts.interpret.class_summaries import class_info
from placefix.facts.program.ast_names import dotted
from placefix.facts.program.ast_walk import walk
from placefix.facts.wording import unite
from placefix.rules.tensors.device_conflicts import keeps_gradient
from placefix.rules.tensors.kept_tensors import is_of_forward, use_of
from placefix.rules.tensors.module_tensors import ModuleTensors, thing
from placefix.rules.tensors.operand_devices import expressions

if TYPE_CHECKING:
    from collections.abc import Iterator

    from placefix.facts.context import AnalysisContext
    from placefix.facts.interpret.constraint_runs import ConstraintRun
    from placefix.facts.interpret.device_facts import Creation
    from placefix.facts.wording import Premise


class PlainAttributes:
    """Answers for one file."""

    def __init__(self, context: AnalysisContext) -> None:
        self.tensors = context.get(ModuleTensors)
        self.context = self.tensors.context

    def found(self) -> Iterator[Finding]:
        """Plain attributes that hold a tensor on the CPU and are used with tensors on the module's device."""
        for node, runs in self.tensors.found.items():
            if isinstance(node, ast.Assign):
                found = next(filter(None, (self._kept(node, *run) for run in runs)), None)
                found = found or next(filter(None, (self._kept_unseen(node, *run) for run in runs)), None)
                if found is not None:
                    yield found

    def _kept(self, node: ast.Assign, creation: Creation, run: ConstraintRun) -> Finding | None:
        """An attribute that meets the input or the weights of the module in a method."""
        if not expressions(creation, run, run.everything):
            return None
        paths = (*creation.exits, *creation.partial)
        beside = next((t for p in paths for t in self.tensors.texts_beside(creation, run, p, assume=True)), None)
        if beside is not None:
            return self._registered(node, creation, thing(beside))
        module = self.tensors.returning([(creation, run)])
        modes = {"assume": True, "maybe": True, "returns": True}
        texts = (t for p in paths for t in self.tensors.texts_beside(creation, run, p, **modes))
        beside = next(texts, None) if module else None
        if beside is None:
            return None
        found = self._registered(node, creation, thing(beside), premises.RETURNS_ON_DEVICE(module=module))
        return found._replace(doubt=found.doubt or premises.RESULT_NOT_SEEN(module=module))

    def _kept_unseen(self, node: ast.Assign, creation: Creation, run: ConstraintRun) -> Finding | None:
        """An attribute that a method uses with a value of which the device is not seen, or returns."""
        cls = creation.scope.cls
        info = class_info(cls, self.tensors.infos) if cls is not None else None
        attr = dotted(node.targets[0]).removeprefix("self.")
        if info is None or run.owner is None or attr not in run.owner.plain or not is_of_forward(run.scope.name, info):
            return None
        buffers = any(isinstance(n, ast.Attribute) and n.attr == "register_buffer" for n in walk(creation.scope.node))
        may_be_sized = buffers and any(isinstance(n, (ast.Attribute, ast.Subscript)) for n in walk(_data(node.value)))
        use = use_of(creation, run) if run.owner.plain[attr].dimensions or may_be_sized else None
        if use is None:
            return None
        if use.other is not None:
            found = self._registered(node, creation, self.context.text(use.other))
            return found._replace(doubt=found.doubt or premises.DEVICE_NOT_SEEN)
        found = self._registered(node, creation, "")._replace(what=run.scope.name)
        return found._replace(doubt=found.doubt or premises.CALLERS_MAY_MOVE)

    def _registered(self, node: ast.Assign, creation: Creation, beside: str, premise: Premise | None = None) -> Finding:
        """An attribute as a buffer; one that collects gradients has no fix. beside: the tensor that it meets."""
        name = dotted(node.targets[0])
        span, text, doubt = self.context.span(node), self.context.text(node), self.tensors.doubt_of(creation)
        if keeps_gradient(node.value):
            why_not = reasons.LEARNED_ATTRIBUTE(attribute=name)
            return Finding(span, "attribute", why_not=why_not, doubt=doubt, names=(name,), beside=beside)
        value = self.context.text(node.value)
        buffer = f'self.register_buffer("{name.removeprefix("self.")}", {value}, persistent=False)'
        return Finding(
            span,
            "attribute",
            (Replace(span, buffer, text),),
            premises=unite(premises.ATTRIBUTE_IS_BUFFER(attribute=name), premise),
            doubt=doubt,
            names=(name,),
            beside=beside,
        )


def _data(value: ast.expr) -> ast.expr:
    """The data of which a factory makes a tensor; any other expression itself."""
    return value.args[0] if isinstance(value, ast.Call) and value.args else value
