"""Uses of CUDA in code that requires a GPU by its purpose: names, tests, streams, kernels. They are no findings."""

from __future__ import annotations

import ast
from functools import cached_property
from typing import TYPE_CHECKING

from placefix.facts import reasons
from placefix.facts.accelerators import CUDA
from placefix.facts.context import FileAnalysis, requires
from placefix.facts.devices.device_selection import Devices
from placefix.facts.devices.execution import Execution
from placefix.facts.interpret.class_summaries import ClassSummaries
from placefix.facts.naming import (
    last,
    mentions_exit,
    mentions_required_gpu,
    names_cuda_contract,
    names_tensorrt,
)
from placefix.facts.program.assignments import assigned_name
from placefix.facts.program.ast_names import dotted, literal_text
from placefix.facts.program.comparisons import device_test
from placefix.facts.program.tree import dominates
from placefix.rules.cuda.cuda_helpers import mover
from placefix.rules.cuda.nearby_device import NearbyDevice

if TYPE_CHECKING:
    from placefix.facts.context import AnalysisContext
    from placefix.facts.devices.cuda_uses import Site
    from placefix.facts.program.tree import Scope, Stmt, Suite
    from placefix.facts.wording import Reason

# Functions whose purpose is CUDA, by name. (`mover` handles those that only move.)
_STREAM_NAMES = frozenset(
    ("Stream", "stream", "Event", "CUDAGraph", "graph", "current_stream", "make_graphed_callables", "ExternalStream")
)
_STREAMS = frozenset(f"torch.cuda.{name}" for name in _STREAM_NAMES)


class Intents(FileAnalysis):
    """Answers for one file."""

    devices = requires(Devices)

    def __init__(self, context: AnalysisContext) -> None:
        super().__init__(context)
        self._only_deleted: dict[Scope, set[str]] = {}

    def of(self, site: Site) -> Reason | None:
        """Why the code around needs a GPU, None where it does not."""
        if self.contract(site):
            return reasons.FUNCTION_FOR_CUDA
        if (
            site.guard is None
            and self._in_test(site.stmt.scope)
            and self.context.get(NearbyDevice).choice(site) is None
        ):
            return reasons.TEST_OF_CUDA
        return self._reserves_memory(site) or self.of_statement(site.stmt)

    def _reserves_memory(self, site: Site) -> Reason | None:
        """A tensor that a function makes with a type of CUDA tensors, and only deletes."""
        stmt, name = site.stmt, assigned_name(site.stmt.node)
        if (
            site.guard is not None
            or not name
            or not stmt.scope.is_function
            or stmt.scope.lookup(name) is not stmt.scope
        ):
            return None
        return reasons.RESERVES_MEMORY(name=name) if name in self._names_only_deleted(stmt.scope) else None

    def _names_only_deleted(self, scope: Scope) -> set[str]:
        """The names that a function deletes and never reads; found once for each function."""
        if scope not in self._only_deleted:
            names = [n for n in scope.nodes if isinstance(n, ast.Name)]
            read = {n.id for n in names if isinstance(n.ctx, ast.Load)}
            self._only_deleted[scope] = {n.id for n in names if isinstance(n.ctx, ast.Del)} - read
        return self._only_deleted[scope]

    def of_statement(self, stmt: Stmt) -> Reason | None:
        """Why the code around a statement needs a GPU, whatever the statement does; None where it does not."""
        if self._marked:
            return reasons.TEST_OF_CUDA
        scope: Scope | None = stmt.scope
        while scope is not None and not scope.is_root:
            if self._runs_past_exits(scope):
                return reasons.PROGRAM_ENDS_WITHOUT_CUDA
            if self._defined_with_cuda(self.tree.stmts[scope.node]):  # type: ignore[index]
                return reasons.DEFINED_WITH_CUDA
            if any(self._asks_for_gpu(d, scope) for d in scope.node.decorator_list):  # type: ignore[union-attr]
                return reasons.DECORATOR_NEEDS_GPU
            if scope in self._streams:
                return reasons.STREAMS_OR_GRAPHS
            scope = scope.parent
        if self._is_past_exit(stmt):
            return reasons.PROGRAM_ENDS_WITHOUT_CUDA
        if self.is_for_tensorrt(stmt) or self._runs_with_nccl(stmt):
            return reasons.MEANT_FOR_GPUS
        return None

    def required(self, site: Site) -> bool:
        """Whether the code around requires a GPU: tests, early exits, asserts. It is correct then."""
        return bool(self.of(site))

    def contract(self, site: Site) -> bool:
        """Whether the site is in a function that is named for CUDA, and places more than its arguments."""
        accelerator = self.context.accelerator
        if accelerator is not CUDA:
            matched = any(isinstance(a.node, ast.Match) for a in site.stmt.ancestors())
            return matched or any(accelerator.names(s.name) for s in site.stmt.scope.chain() if not s.is_root)
        return site.stmt.scope.function_named(names_cuda_contract) is not None and self.mover(site) is None

    def mover(self, site: Site) -> Scope | None:
        """The function named for moving its argument to CUDA around a site that does so; None for other sites, and in tests."""
        return mover(self.context, site) if not self._has_tests else None

    def _asks_for_gpu(self, decorator: ast.expr, scope: Scope) -> bool:
        """Whether a decorator is for machines with a GPU, by its name or those of its keywords: ``@requires_cuda``, ``@remote(num_gpus=1)``.
        The arguments of pytest's marks count too; the words of a command line option (``@click.option("--cuda")``) do not."""
        call = decorator if isinstance(decorator, ast.Call) else None
        name = dotted(call.func if call is not None else decorator)
        full = self.tree.qualname(call.func if call is not None else decorator, scope) or ""
        if full.startswith("torch.") and not full.startswith("torch.testing."):
            return False  # torch.cuda.amp.autocast
        if call is None or not name or "mark." in name:
            return mentions_required_gpu(self.tree.source.code(decorator))
        return mentions_required_gpu(name) or any(self.context.accelerator.names(k.arg or "") for k in call.keywords)

    def _defined_with_cuda(self, definition: Stmt) -> bool:
        """Whether a function or class is there only where CUDA is."""
        child = definition
        for owner in definition.ancestors():
            if owner is not definition and isinstance(owner.node, ast.If):
                read = self.devices.tests.read(owner.node.test, owner.scope)
                if read is not None and (child.suite is owner.suites[0]) != read.negated:
                    return True
            child = owner
        return False

    @cached_property
    def _marked(self) -> bool:
        """Whether the tests of the file are skipped without CUDA: ``pytestmark = pytest.mark.skipif(…)``."""
        return any(
            w.stmt.scope.is_root
            and w.value is not None
            and self.context.accelerator.name in self.tree.source.code(w.value)
            for w in self.index.writes.get("pytestmark", ())
        )

    def _in_test(self, scope: Scope) -> bool:
        """Whether the scope is a test, or a method of a test case: its device is part of the test."""
        if not self._has_tests:
            return False
        summaries = self.context.get(ClassSummaries)
        return any(
            (s.is_function and s.name.startswith("test_"))
            or (s.is_class and any(base.endswith("TestCase") for base in summaries.of(s).bases))
            for s in scope.chain()
        )

    @cached_property
    def _has_tests(self) -> bool:
        """Whether the file uses a test framework."""
        return any(name.partition(".")[0] in ("unittest", "pytest") for name in self.tree.imported)

    def _runs_past_exits(self, scope: Scope) -> bool:
        """Whether every run of a private function begins at a call that a run without CUDA does not reach."""
        if not self.exits or not scope.is_function or not scope.name.startswith("_") or scope.name.endswith("__"):
            return False
        calls = self.index.called(scope.name)
        return self.context.get(Execution).is_only_called(scope) and all(self._is_past_exit(stmt) for _, stmt in calls)

    def _is_past_exit(self, stmt: Stmt) -> bool:
        """Whether a run without CUDA ends before a statement."""
        return any(self._before(exit_, stmt) for exit_ in self.exits)

    def _before(self, exit_: Stmt, stmt: Stmt) -> bool:
        if exit_.scope is stmt.scope:
            return dominates(exit_, stmt)
        top = stmt
        while top.scope is not exit_.scope:
            if top.scope.parent is None:
                return False
            top = self.tree.stmts[top.scope.node]  # type: ignore[index]
        return dominates(exit_, top)

    @cached_property
    def _streams(self) -> frozenset[Scope]:
        """Functions, and classes of methods, that work with CUDA streams, events or graphs."""
        found: set[Scope] = set()
        for call, stmt in self.index.called(*_STREAM_NAMES):
            if not stmt.scope.is_root and self.tree.qualname(call.func, stmt.scope) in _STREAMS:
                found.add(stmt.scope)
                if stmt.scope.cls is not None:
                    found.add(stmt.scope.cls)
        return frozenset(found)

    def is_for_tensorrt(self, stmt: Stmt) -> bool:
        """Whether a statement is in a block that makes or runs an engine of TensorRT."""
        return any(a.suite in self._of_tensorrt for a in stmt.ancestors())

    @staticmethod
    def _runs_with_nccl(stmt: Stmt) -> bool:
        """Whether a statement is in the block of a test for NCCL."""
        suites = (inner.suite for inner in stmt.ancestors())
        owners = ((suite, suite.owner.node) for suite in suites if suite.owner is not None)
        return any(
            suite.arm == "body" and isinstance(node, ast.If) and _is_for_nccl(node.test) for suite, node in owners
        )

    @cached_property
    def _of_tensorrt(self) -> frozenset[Suite]:
        """The blocks of functions that make or run an engine of TensorRT: ``model = TRTModule()``."""
        calls = self.index.calls if "trt" in self.tree.source.text.lower().replace("tensorrt", "trt") else ()
        return frozenset(
            stmt.suite for call, stmt in calls if not stmt.scope.is_root and names_tensorrt(last(dotted(call.func)))
        )

    def _says_none(self, test: ast.expr, stmt: Stmt) -> bool:
        """Whether a test is true whenever there is no CUDA, or the device is not one."""
        if type_is(test, "cpu") or type_is(test, self.context.accelerator.name, negated=True):
            return True
        if "is_available" not in self.tree.source.code(test):
            return False
        read = self.devices.tests.read(test, stmt.scope)
        return read is not None and read.negated

    @cached_property
    def exits(self) -> list[Stmt]:
        """``if not torch.cuda.is_available(): raise`` (return, exit, skip), ``assert torch.cuda.is_available()``,
        and the same with ``device.type``."""
        found = []
        for stmt in self.tree.stmts.values():
            node = stmt.node
            kind = node.__class__
            if kind is not ast.Assert and kind is not ast.If:
                continue
            if isinstance(node, ast.Assert):
                code = self.tree.source.code(node.test)
                if (
                    f"{self.context.accelerator.available}()" in code and not isinstance(node.test, ast.UnaryOp)
                ) or _requires(node.test, self.context.accelerator.name):
                    found.append(stmt)
            elif isinstance(node, ast.If) and not node.orelse and _leaves(node.body[-1]):
                # past `if a or b: return` neither holds
                either = isinstance(node.test, ast.BoolOp) and isinstance(node.test.op, ast.Or)
                parts = node.test.values if either else [node.test]  # type: ignore[attr-defined]
                if any(self._says_none(part, stmt) for part in parts):
                    found.append(stmt)
        return found


def _leaves(last: ast.stmt) -> bool:
    """Whether a suite ends by leaving: raise, return, exit, skip."""
    return isinstance(last, (ast.Raise, ast.Return)) or (
        isinstance(last, ast.Expr) and isinstance(last.value, ast.Call) and mentions_exit(dotted(last.value.func))
    )


def _requires(test: ast.expr, kind: str) -> bool:
    """Whether a test is true only for a device of that type: ``device.type == kind``, ``kind in str(x.device)``, ``x.is_cuda``."""
    if isinstance(test, ast.Attribute):
        return test.attr == f"is_{kind}"
    found = device_test(test)
    return found is not None and found.name == kind and found.equal


def _is_for_nccl(test: ast.expr) -> bool:
    """Whether a test is true only with NCCL, which works on GPUs alone: ``dist.get_backend() == "nccl"``."""
    if isinstance(test, ast.BoolOp) and isinstance(test.op, ast.And):
        return any(map(_is_for_nccl, test.values))
    equal = isinstance(test, ast.Compare) and len(test.ops) == 1 and isinstance(test.ops[0], ast.Eq)
    return equal and any(literal_text(side) == "nccl" for side in (test.left, *test.comparators))  # type: ignore[attr-defined]


def type_is(test: ast.expr, kind: str, *, negated: bool = False) -> bool:
    """``device.type == kind``, or with `negated` ``device.type != kind``."""
    return (
        isinstance(test, ast.Compare)
        and isinstance(test.left, ast.Attribute)
        and test.left.attr == "type"
        and isinstance(test.ops[0], ast.NotEq if negated else ast.Eq)
        and isinstance(test.comparators[0], ast.Constant)
        and test.comparators[0].value == kind
    )
