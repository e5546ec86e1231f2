"""Whether a value that a statement places on CUDA was on the device of another one, which is not known.

If a program ran to the end and two tensors met in an operation, they were on one device: the unknown device
was the current GPU. Without such an operation ``device`` may be the CPU or another GPU, and
``x.cuda()`` must not become ``x.to(device)``.
"""

from __future__ import annotations

import ast
from functools import cached_property
from typing import TYPE_CHECKING

from placefix.facts import torch_api as api
from placefix.facts.interpret.agreement_runs import AgreementRun, CallKinds
from placefix.facts.interpret.class_summaries import ClassSummaries
from placefix.facts.interpret.flow import Flow
from placefix.facts.interpret.tensor_names import TensorNames
from placefix.facts.program.arguments import self_name
from placefix.facts.program.ast_names import dotted, identifiers, keyword_value, parameters
from placefix.rules.cuda.use_sites import Cuda
from placefix.torch_model import modules

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from placefix.facts.context import AnalysisContext
    from placefix.facts.devices.cuda_uses import Site
    from placefix.facts.interpret.agreement_runs import Others
    from placefix.facts.program.tree import Scope, Stmt

# Methods whose result is on another device, or is no module.
_LEAVES = frozenset(("parameters", "named_parameters", "state_dict", "buffers", "modules", "children"))
# The forms of sites whose result is on the GPU that they name.
_PLACES = ("cuda", "to", "argument", "tensor")


class Meets:
    """Answers for one file."""

    def __init__(self, context: AnalysisContext) -> None:
        self.context = context
        self.tree = context.tree
        self.index = context.index
        self._runs: dict[tuple[Scope, bool], AgreementRun] = {}  # with whether loops may not run
        self._names: dict[Scope, TensorNames] = {}

    def release(self) -> None:
        """Break the reference cycles; no query can follow."""
        for run in (*self._runs.values(), *self._names.values()):
            run.release()

    def __call__(self, site: Site, device: str) -> bool:
        """Whether the value that `site` places is used together with one on `device`, on every path that uses it."""
        return self._has_values(site.stmt.scope, device) and self._run(site).agrees(
            site.node, self._on_device(site, device)
        )

    def parameter(self, site: Site, name: str) -> bool:
        """Whether the value that `site` places is used together with the parameter `name`, or the value of another site that runs
        whenever this one does."""
        run = self._run(site)
        return run.agrees(site.node, lambda creation: run.bound_to(name), beside=self._unguarded)

    def local(self, site: Site, name: str) -> bool:
        """Whether the value that `site` places is used together with the tensor that `name` holds there, a local or one that a guard tests."""
        return self._run(site).agrees(site.node, self._named(site, name))

    def tensors(self, site: Site) -> Iterator[str]:
        """The names of the function that hold, where the value of `site` is placed, a tensor from elsewhere that this value is used
        together with: those of the statement first, then in the order of their bindings."""
        scope, run = site.stmt.scope, self._run(site)
        beside = run.names_beside(site.node, scope.bindings)
        beside = [name for name in beside if not run.is_placed(name, site.node)]
        if not beside:
            return
        tensors, here = self._tensor_names(scope).at(site.node), identifiers(site.stmt.node)
        yield from sorted((name for name in beside if name in tensors), key=lambda name: name not in here)

    def tensors_beyond(self, sites: Sequence[Site]) -> Iterator[str]:
        """The names of the function that hold a tensor at a guard, with which all values that the guard places are used together, whether
        or not it is true; arguments first, then in the order of their bindings."""
        scope, guard = sites[0].stmt.scope, sites[0].guard
        assert guard is not None
        moved = identifiers(guard.node) if isinstance(guard.node, ast.IfExp) else identifiers(guard.stmt.node)
        arguments, tensors = parameters(scope.function.args), self._tensor_names(scope).at(guard.node.test)
        for name in (*arguments, *(name for name in scope.bindings if name not in arguments)):
            if name not in tensors:
                continue
            placed = name in moved or any(self._run(site).is_placed(name, site.node) for site in sites)
            if not placed and all(self.tensor_beyond(site, name) for site in sites):
                yield name

    def layers_beyond(self, sites: Sequence[Site]) -> Iterator[str]:
        """The attributes of ``self`` that are layers with a weight, with which all values of a guard are used together, whether or not it is
        true."""
        me, run = self_name(sites[0].stmt.scope), self._run(sites[0])
        for value, name in list(run.layers.items()) if me else ():
            if modules.has_weight(name) and value.base is run.instance and not run.is_optional(value.attr):
                if all(self.tensor_beyond(site, f"{me}.{value.attr}") for site in sites):
                    yield f"{me}.{value.attr}"

    def _tensor_names(self, scope: Scope) -> TensorNames:
        """The run that finds the names of tensors in a function, at its sites and their guards."""
        if scope not in self._names:
            sites = [s for s in self.context.get(Cuda).sites_of(scope) if s.form in _PLACES]
            nodes = {s.node for s in sites}.union(s.guard.node.test for s in sites if s.guard is not None)
            self._names[scope] = TensorNames(scope, self.context.get(ClassSummaries).known, nodes)
        return self._names[scope]

    def may_meet_arguments(self, site: Site) -> bool:
        """Whether the value that `site` places may be used together with a tensor that the caller gives to the function."""
        return self._run(site).may_meet_arguments(site.node)

    def layers(self, site: Site) -> Iterator[str]:
        """The attributes of ``self`` that are layers with a weight which the value of `site` is used together with."""
        scope = site.stmt.scope
        me, run = self_name(scope), self._run(site)
        for value, name in list(run.layers.items()) if me else ():
            if modules.has_weight(name) and value.base is run.instance and self.local(site, f"{me}.{value.attr}"):
                yield f"{me}.{value.attr}"

    def attributes(self, site: Site) -> Iterator[str]:
        """The attributes of ``self`` whose values from before the method the value of `site` is used together with."""
        me, run = self_name(site.stmt.scope), self._run(site)
        for attr in list(run.attributes) if me else ():
            if self.local(site, f"{me}.{attr}"):
                yield f"{me}.{attr}"

    def guarded(self, site: Site, others: Iterable[Site]) -> bool:
        """Whether the value that `site` places is used together with values that the guarded `others` of its function place."""
        nodes = [s.node for s in others]
        run = self._run(site)
        return run.agrees(site.node, lambda creation: run.values_of(nodes), given=nodes)

    def beyond(self, site: Site, device: str) -> bool:
        """Whether the value that a guarded `site` places is used together with one on `device`, whether or not the
        guard was true."""
        return self._has_values(site.stmt.scope, device) and self._anyway(site, self._on_device(site, device))

    def tensor_beyond(self, site: Site, name: str) -> bool:
        """Whether the value that a guarded `site` places is used together with the tensor `name`, whether or not the guard was true."""
        return self._anyway(site, self._named(site, name))

    def _anyway(self, site: Site, others: Others) -> bool:
        guard, run = site.guard, self._run(site)
        assert guard is not None
        return run.agrees_anyway(guard.node if isinstance(guard.node, ast.IfExp) else site.node, others)

    def _run(self, site: Site) -> AgreementRun:
        """The run of the code of a site."""
        scope, guarded = site.stmt.scope.outside_classes(), site.guard is not None
        found = self._runs.get((scope, guarded))
        if found is None:
            infos = self.context.get(ClassSummaries).known
            sites = self._by_code.get(scope, ())
            chosen = {s.guard.node for s in sites if s.guard is not None and isinstance(s.guard.node, ast.IfExp)}
            nodes = chosen.union(s.node for s in sites)
            found = self._runs[scope, guarded] = AgreementRun(
                scope, infos, nodes, self._moves, self._kinds, skips=guarded
            )
        return found

    @cached_property
    def _by_code(self) -> dict[Scope, list[Site]]:
        """The sites that place something, by the function or file that runs their code."""
        found: dict[Scope, list[Site]] = {}
        for site in self.context.get(Cuda).sites:
            if site.form in _PLACES:
                found.setdefault(site.stmt.scope.outside_classes(), []).append(site)
        return found

    @cached_property
    def _unguarded(self) -> set[ast.expr]:
        """The expressions that place something on the current GPU whenever they run."""
        sites = self.context.get(Cuda).sites
        return {s.node for s in sites if s.form in _PLACES and (s.guard, s.index, s.extra) == (None, None, None)}

    @cached_property
    def _moves(self) -> set[ast.expr]:
        """The calls whose result may be on a named device."""
        return {call for calls in self._by_device.values() for call, _ in calls}

    @cached_property
    def _kinds(self) -> CallKinds:
        return CallKinds(self.is_module, self._scattering, self._called)

    def _named(self, site: Site, text: str) -> Others:
        run = self._run(site)
        return lambda creation: run.bound_to(text, creation)

    def _has_values(self, scope: Scope, device: str) -> bool:
        """Whether the text of a function, or of the functions around it, places anything on a device; if not, no run needs to find it."""
        return bool(self._placed(device, scope) or self._around(scope, device))

    def _on_device(self, site: Site, device: str) -> Others:
        """The values on a device, those from before the run included."""
        run = self._run(site)
        scope = site.stmt.scope
        found = run.values_of(self._placed(device, scope)).union(*map(run.bound_to, self._around(scope, device)))
        return lambda creation: found

    def is_called(self, text: str) -> bool:
        """Whether the file calls the object named `text`, like a module."""
        return text in self._called

    @cached_property
    def _called(self) -> frozenset[str]:
        return frozenset(dotted(call.func) for call, _ in self.index.calls)

    def is_module(self, call: ast.Call, scope: Scope) -> bool:
        """Whether the call is that of a module or a loss: its result is on the device of its arguments."""
        return call in self.context.get(Flow).index.module_calls or (scope, dotted(call.func)) in self._switched

    @cached_property
    def _switched(self) -> frozenset[tuple[Scope, str]]:
        """The names with a call of ``.train()`` or ``.eval()``, by scope: if such an object is called as well, it is a module."""
        return frozenset(
            (stmt.scope, dotted(call.func.value))
            for call, stmt in self.index.calls
            if isinstance(call.func, ast.Attribute)
            and call.func.attr in api.MODES
            and all(isinstance(a, ast.Constant) and isinstance(a.value, bool) for a in call.args)
            and not call.keywords
        )

    @cached_property
    def _scattering(self) -> frozenset[int]:
        """The calls of modules in DataParallel or DistributedDataParallel, which take their inputs from anywhere."""
        calls = (e for e in self.context.get(Flow).index.of_kind("call"))
        return frozenset(id(e.node) for e in calls if e.obj is not None and e.obj.is_wrapper)

    def _placed(self, device: str, scope: Scope) -> set[ast.expr]:
        """The calls in a scope, or in the class of a method, whose result is on `device`."""
        calls = self._by_device.get(device, ())
        around = (scope.cls if "." in device else None) or scope
        return {call for call, stmt in calls if around in (stmt.scope, stmt.scope.parent)}

    @cached_property
    def _by_device(self) -> dict[str, list[tuple[ast.Call, Stmt]]]:
        """The calls whose result is on a device, by its text."""
        found: dict[str, list[tuple[ast.Call, Stmt]]] = {}
        for call, stmt in self.index.called("to", "cuda"):
            if call.args and isinstance(call.func, ast.Attribute):
                found.setdefault(dotted(call.args[0]), []).append((call, stmt))
        for call, stmt in self.index.calls_with_device:
            func, name = call.func, self.tree.qualname(call.func, stmt.scope)
            moves = isinstance(func, ast.Attribute) and func.attr in ("to", "cuda") and call.args
            if not moves and ((name or "").startswith("torch.") or (name is None and isinstance(func, ast.Attribute))):
                device = keyword_value(call, "device")
                if device is not None:
                    found.setdefault(dotted(device), []).append((call, stmt))
        return found

    def _around(self, scope: Scope, device: str) -> set[str]:
        """The names with values on `device` before the function runs: of the object if the device is its attribute, and of the module."""
        nodes = {call for call, _ in self._by_device.get(device, ())}
        root, _, attribute = device.partition(".")
        if attribute and scope.cls is not None:
            owned = {
                text: [w for w in writes if w.stmt.scope.parent is scope.cls]
                for text, writes in self.index.writes.items()
                if text.startswith(root + ".") and text.count(".") == 1
            }
        else:
            owner = scope.lookup(root)
            if owner is None or owner is scope:
                return set()
            owned = {
                text: [w for w in writes if w.stmt.scope is owner]
                for text, writes in self.index.writes.items()
                if "." not in text and scope.lookup(text) is owner
            }
        return {
            text
            for text, writes in owned.items()
            if writes and all(w.value is not None and self._heads(w.value, nodes) for w in writes)
        }

    @staticmethod
    def _heads(value: ast.expr, nodes: set[ast.Call]) -> bool:
        """``Net().to(device)``, ``Net().to(device).eval()``"""
        while isinstance(value, ast.Call):
            if value in nodes:
                return True
            func = value.func
            if not isinstance(func, ast.Attribute) or func.attr in _LEAVES:
                return False
            value = func.value
        return False
