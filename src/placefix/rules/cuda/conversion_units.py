"""The functions of a file that are converted to a device together: half of them would only look portable."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

from placefix.facts.devices.cuda_dependence import CudaDependence
from placefix.facts.devices.execution import Execution
from placefix.facts.program.arguments import self_name
from placefix.reachability import reachable
from placefix.rules.cuda.use_sites import Cuda

if TYPE_CHECKING:
    from collections.abc import Collection

    from placefix.facts.context import AnalysisContext
    from placefix.facts.program.tree import Scope


class ConversionUnits:
    """The units of one file."""

    def __init__(self, context: AnalysisContext) -> None:
        self.context = context
        self._methods: dict[Scope, Collection[Scope]] = {}

    def of_class(self, scope: Scope) -> Collection[Scope]:
        """The methods of the object that a method is called with; none for other functions."""
        cls = scope.cls
        if cls is None or not self._has_object(scope):
            return ()
        if cls not in self._methods:
            self._methods[cls] = frozenset(filter(self._has_object, cls.functions.values()))
        return self._methods[cls]

    def of_script(self, scope: Scope) -> Collection[Scope]:
        """The code that a script runs without a test for CUDA, if a scope is in it; none for any other."""
        within: Scope | None = scope
        while within is not None and within not in self._of_script:
            within = within.parent if not within.is_class else None
        return self._of_script if within is not None else ()

    def _has_object(self, function: Scope) -> bool:
        return function.is_function and bool(self_name(function))

    @cached_property
    def _of_script(self) -> frozenset[Scope]:
        """The module level of a script with the functions of the file that it calls, and those that they call."""
        if not self.context.get(Execution).is_script:
            return frozenset()
        calls: dict[Scope, set[Scope]] = {}
        for call, stmt in self.context.index.calls:
            if self.context.get(Cuda).guard(call, stmt) is None:
                callees = self.context.get(CudaDependence).callees(call, stmt.scope)
                calls.setdefault(stmt.scope.outside_classes(), set()).update(callees)
        own = self.context.tree
        return frozenset(reachable([own.root], lambda scope: (s for s in calls.get(scope, ()) if s.tree is own)))
