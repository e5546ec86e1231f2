"""Checkpoints that are loaded onto the devices they were saved from, and where they may go instead."""

from __future__ import annotations

import ast
import builtins
from functools import cached_property
from typing import TYPE_CHECKING

from placefix.diagnostic import Replace, Span
from placefix.facts import premises, reasons
from placefix.facts import torch_api as api
from placefix.facts.accelerators import OTHERS
from placefix.facts.context import FileAnalysis
from placefix.facts.devices.device_selection import Devices
from placefix.facts.devices.torch_imports import TorchImports
from placefix.facts.finding import Finding
from placefix.facts.interpret.checkpoint_runs import CheckpointRun, takes_copy
from placefix.facts.interpret.class_summaries import ClassSummaries
from placefix.facts.interpret.flow import Flow
from placefix.facts.naming import names_test
from placefix.facts.program.arguments import self_name
from placefix.facts.program.ast_names import argument_values, dotted, may_give, parameters, under_methods
from placefix.facts.program.ast_walk import walk
from placefix.facts.program.device_values import named_device
from placefix.facts.wording import unite
from placefix.rules.cuda.checkpoint_names import bound_names, checkpoint_name, names_other_data
from placefix.rules.cuda.device_rewrite import DeviceRewrite
from placefix.rules.cuda.gpu_requirements import Intents
from placefix.rules.cuda.use_sites import Cuda
from placefix.rules.distributed.ranks import EVERY, Ranks

if TYPE_CHECKING:
    from collections.abc import Iterator

    from placefix.facts.context import AnalysisContext
    from placefix.facts.program.tree import Scope, Stmt
    from placefix.facts.wording import Premise

_CPU = '"cpu"'
_LOADS = frozenset(("torch.load", "torch.jit.load", "torch.serialization.load"))


class Loads(FileAnalysis):
    """PF405 for one file."""

    def __init__(self, context: AnalysisContext) -> None:
        super().__init__(context)
        self._runs: dict[Scope, CheckpointRun] = {}

    def unmapped(self) -> Iterator[Finding]:
        """Every load without map_location whose values go into modules or optimizers by load_state_dict, and every
        scripted module that another program has saved; every load of something that is moved to a device at once, or that is a checkpoint
        by its names. None where CUDA is tested or required."""
        for call, stmt in self.index.called("load"):
            name = self.tree.qualname(call.func, stmt.scope) if call.args or call.keywords else None
            if name not in _LOADS or self._mapped(call) or self._chosen(call, stmt):
                continue
            what = f"`{self.context.text(call.func)}`"
            if name == "torch.jit.load":
                if not self._writes_scripts:
                    why = reasons.SCRIPTED_MODULE_STAYS
                    yield Finding(self.context.span(call), what, why_not=why)
                continue
            into = self._into(call, stmt)
            if into:
                yield self._finding(call, stmt, what, self._place(stmt, into), self._premises(call, stmt, into))
            elif place := self._moved_to(call, stmt):
                yield self._finding(call, stmt, what, place, (premises.NOTHING_LEFT_BEHIND,))
            elif name := checkpoint_name(call, stmt):
                yield self._finding(call, stmt, what, self._given(stmt), (premises.CHECKPOINT_BY_NAME(name=name),))
            elif alike := self._alike(call, stmt):
                line = self.context.source.row_name(alike.lineno)
                yield self._finding(call, stmt, what, self._given(stmt), (premises.MAPPED_ALIKE(line=line),))

    def _alike(self, call: ast.Call, stmt: Stmt) -> ast.Call | None:
        """A load that binds the same name and has a location, or is to have one; None if there is none, or the name is that of other data.
        A test loads its own file."""
        names = set() if names_test(stmt.scope.name) or names_other_data(call, stmt) else {*bound_names(stmt)}
        for other, where in self.index.called("load") if names else ():
            if other is not call and other in self._loads and not names.isdisjoint(bound_names(where)):
                if self._mapped(other) or self._into(other, where) or checkpoint_name(other, where):
                    return other
        return None

    def is_in_every_process(self, span: Span) -> bool:
        """Whether all processes of a distributed run may load at the expression of a finding: no test of the rank is around it."""
        ranks = self.context.get(Ranks)
        return any(
            self.context.span(c) == span and ranks.running(s).most == EVERY for c, s in self.index.called("load")
        )

    @staticmethod
    def _mapped(call: ast.Call) -> bool:
        """Whether a location is given, or may be."""
        return len(call.args) != 1 or isinstance(call.args[0], ast.Starred) or may_give(call, "map_location")

    def _chosen(self, call: ast.Call, stmt: Stmt) -> bool:
        """Whether the load is that of a machine with CUDA: one of several ways of loading, or code that needs it."""
        site = self.context.get(Cuda).site("call", call, stmt)
        guard = site.guard
        with_cuda = guard is not None and (guard.test is None or guard.positive != guard.test.negated)
        if with_cuda or self._is_of_framework or self.context.get(Intents).required(site):
            return True
        child = stmt
        for owner in stmt.ancestors():
            if isinstance(owner.node, ast.Try) and child.suite.arm == "body" and child.suite.owner is owner:
                named = zip(owner.node.handlers, (s for s in owner.suites if s.arm.startswith("handler")), strict=True)
                handlers = [suite for handler, suite in named if _may_catch(handler)]
                if any("load(" in self.context.text(s) for suite in handlers for s in suite.stmts):
                    return True
            child = owner
        return False

    @cached_property
    def _is_of_framework(self) -> bool:
        """Whether the file is one of a framework's own, which knows how its checkpoints were saved: the repository holds its module."""
        home, names = self.context.home, {name.partition(".")[0] for name in self.tree.imported}
        return home is not None and any(map(home.has, sorted(names & api.FRAMEWORKS.keys())))

    @cached_property
    def _writes_scripts(self) -> bool:
        """Whether the file makes scripted modules: then it may load its own."""
        texts = (dotted(call.func) for call, _ in self.index.called("save", "trace", "script"))
        return any(text.endswith((".save", "jit.trace", "jit.script")) for text in texts)

    # --- where the values go ----------------------------------------------------------------

    def _into(self, call: ast.Call, stmt: Stmt) -> list[tuple[ast.Call, bool]]:
        """The calls that copy the loaded value, `load_state_dict` and `copy_`, each with whether the load is in its arguments. Data and
        embeddings, by their names, are no checkpoint because a tensor takes a copy."""
        run = self._run(stmt.scope)
        copies = sorted(run.copied.get(call, ()), key=lambda c: (c.lineno, c.col_offset)) if run is not None else []
        if all(map(_takes_one, copies)) and names_other_data(call, stmt):
            return []
        found = [(c, any(part is call for a in c.args for part in walk(a))) for c in copies]
        return [pair for pair in found if pair[1]] or found

    def _run(self, scope: Scope) -> CheckpointRun | None:
        """The run of a scope with loads; None for the body of a class."""
        found = self._runs.get(scope)
        if found is None and not scope.is_class:
            infos = self.context.get(ClassSummaries).known
            found = self._runs[scope] = CheckpointRun(scope, infos, self._loads)
        return found

    @cached_property
    def _loads(self) -> set[ast.expr]:
        called = self.index.called("load")
        return {call for call, stmt in called if self.tree.qualname(call.func, stmt.scope) in _LOADS}

    def release(self) -> None:
        """Break the reference cycles; no query can follow."""
        for run in self._runs.values():
            run.release()

    # --- checkpoints that are moved as a whole ----------------------------------------------

    def _moved_to(self, call: ast.Call, stmt: Stmt) -> str:
        """The device that ``torch.load(f).to(device)`` or ``torch.load(f)["model"].cuda()`` moves to, at once or in the next statement that
        reads the name, or the CPU where that device is not there yet, or is only known by its name; "" for one that needs CUDA."""
        moves, where = self._moves_of_load(call, stmt)
        if len(moves) != 1:
            return ""
        first, then = self.context.get(Devices).at(stmt), self.context.get(Devices).at(where)
        if _method(moves[0]) == "cuda":
            there = first is not None and first.agnostic and first.meaning.index is None
            return "" if not self._goes(moves[0]) else first.text if first is not None and there else _CPU
        asked = self.context.text(moves[0].args[0])
        if first is not None and first.agnostic and first.text == asked:
            return asked
        is_there = then is not None and then.agnostic and then.text == asked
        is_named = isinstance(moves[0].args[0], (ast.Name, ast.Subscript)) and bool(named_device(moves[0]))
        return _CPU if is_there or is_named else ""

    def _moves_of_load(self, call: ast.Call, stmt: Stmt) -> tuple[list[ast.Call], Stmt]:
        """The moves of a loaded value, and their statement: that of the load, or the next one that reads its name."""
        called = self.index.called("to", "cuda")
        moves = [m for m, s in called if s is stmt and _moves(m, call)]
        node = stmt.node
        if moves or not isinstance(node, ast.Assign) or not _part(node.value, call):
            return moves, stmt
        name = dotted(node.targets[0])
        if not name:
            return moves, stmt
        reading = (s for s in stmt.suite.stmts[stmt.index + 1 :] if any(_is(n, name) for n in walk(s.node)))
        where = _guarded(next((s for s in reading if not _only_turned(s.node, name)), stmt))
        return [m for m, s in called if s is where and self._moves_all(where, m, name)], where

    def _goes(self, move: ast.Call) -> bool:
        """Whether a ``.cuda()`` is rewritten, or not run without CUDA: then the moved value must work on the CPU."""
        site = next((s for s in self.context.get(Cuda).sites if s.node is move), None)
        if site is None or (site.guard is not None and (site.guard.test is None or not site.guard.positive)):
            return False
        return site.guard is not None or bool(self.context.get(DeviceRewrite).call(site).edits)

    @staticmethod
    def _moves_all(stmt: Stmt, move: ast.Call, name: str) -> bool:
        """Whether a statement is ``name.to(device)`` or ``name = name.to(device)``, possibly followed by ``.eval()``."""
        node = stmt.node
        if (
            not isinstance(move.func, ast.Attribute)
            or len(move.args) != (move.func.attr == "to")
            or not _is(move.func.value, name)
        ):
            return False
        if not isinstance(node, (ast.Expr, ast.Assign, ast.Return)) or not all(
            _is(t, name) for t in getattr(node, "targets", ())
        ):
            return False
        return node.value is not None and _turned(node.value, move)

    def _premises(self, call: ast.Call, stmt: Stmt, into: list[tuple[ast.Call, bool]]) -> tuple[Premise, ...]:
        """The premises; none if values are only copied to the device of the module or optimizer."""
        assumed: list[Premise] = []
        for copy, _ in into:
            if may_give(copy, "assign"):
                assumed.append(premises.VALUES_COPIED)
            kinds = self.context.get(Flow).values.get(copy, [])
            if self._of_itself(copy, stmt.scope) or _takes_one(copy):
                continue
            if not kinds or any(not o.proven or not (o.is_module or o.kind == "optimizer") for o in kinds):
                assert isinstance(copy.func, ast.Attribute)
                shown = self.context.quoted(copy.func.value, "the receiver")
                assumed.append(premises.LOADS_INTO_OWN_DEVICE(receiver=shown))
        return unite(assumed, None if self._only_copied(call, stmt.scope) else premises.REST_NOT_ON_GPU)

    def _of_itself(self, copy: ast.Call, scope: Scope) -> bool:
        """Whether a module of the file loads its own values."""
        assert isinstance(copy.func, ast.Attribute)
        cls = scope.parent
        me = self_name(scope) if scope.is_function else ""
        if cls is None or not me or not isinstance(copy.func.value, ast.Name) or copy.func.value.id != me:
            return False
        info = self.context.get(ClassSummaries).of(cls)
        return info.is_module and info.closed and "load_state_dict" not in info.methods

    def _only_copied(self, load: ast.Call, scope: Scope) -> bool:
        """Whether the values of a checkpoint are only passed to load_state_dict, under one name or another."""
        run = self._run(scope)
        if run is None or load in run.used:
            return False
        for name in run.bound.get(load, ()):
            owner = scope.lookup(name) or scope
            reads = [s.scope for e, s in self.index.read(name) if s.scope.lookup(name) is owner and _is_read(e)]
            if not reads or any(reader is not scope for reader in reads):
                return False  # a name that is never read is meant for somebody else
        return True

    # --- the fix ----------------------------------------------------------------------------

    def _finding(self, call: ast.Call, stmt: Stmt, what: str, place: str, assumed: tuple[Premise, ...]) -> Finding:
        text = self.context.source.text
        span = self.context.span(call)
        last = max(self.context.span(a).end for a in argument_values(call))
        gap = text[last : span.end - 1]
        if ")" in gap:
            if "#" in gap:
                return Finding(span, what, why_not=reasons.COMMENTS_BEFORE_END)
            last += gap.rindex(")") + 1
        edit = Replace(Span(last, last), f", map_location={place}", "")
        self.context.cuda_tests[edit] = stmt.scope
        exact = self._exact_location(stmt) if assumed else ""
        if exact:
            other = edit._replace(text=f", map_location={exact}")
            self.context.exact_locations[edit] = other, assumed
            self.context.cuda_tests[other] = stmt.scope
        return Finding(span, what, (edit,), assumed, device=f"map_location={place}")

    @cached_property
    def _names_other(self) -> bool:
        """Whether the file names another accelerator than CUDA."""
        text = self.context.source.text
        return any(f"{mark}{other.name}" in text for other in OTHERS for mark in "\"'.")

    def _exact_location(self, stmt: Stmt) -> str:
        """The location of a load that goes where it went on a machine with CUDA, and to the CPU on others; "" where those may have another
        accelerator, or the test for CUDA may come before processes are forked."""
        torch = self.context.get(TorchImports).name_at(stmt)
        devices = self.context.get(Devices)
        if torch is None or self._names_other or (stmt.scope.is_root and devices.forks):
            return ""
        return f"None if {devices.availability(stmt, torch)} else {_CPU}"

    def _given(self, stmt: Stmt) -> str:
        """The location that the caller of the function asks for, by the name that `torch.load` gives it; else the host."""
        given = parameters(stmt.scope.function.args) if stmt.scope.is_function else ()
        return "map_location" if "map_location" in given else _CPU

    def _place(self, stmt: Stmt, into: list[tuple[ast.Call, bool]]) -> str:
        """The device in reach where one module takes all there is; else the host, where the state of random
        generators has to stay, and from where optimizers take theirs to their parameters."""
        only = len(into) == 1 and into[0][1]
        if only and all(o.is_module for o in self.context.get(Flow).values.get(into[0][0], ())):
            reach = self.context.get(Devices).at(stmt)
            if reach is not None and reach.agnostic:
                return reach.text
        return _CPU


def _may_catch(handler: ast.ExceptHandler) -> bool:
    """Whether a handler may catch the RuntimeError of a load onto a device that is not there."""
    kind = getattr(builtins, dotted(handler.type), None) if handler.type is not None else None
    return not (isinstance(kind, type) and issubclass(kind, BaseException)) or issubclass(RuntimeError, kind)


def _takes_one(copy: ast.Call) -> bool:
    """Whether a call copies into one tensor."""
    return takes_copy(_method(copy))


def _is_read(expr: ast.expr) -> bool:
    return isinstance(getattr(expr, "ctx", None), ast.Load)


def _moves(move: ast.Call, load: ast.Call) -> bool:
    """``load.to(device)``, ``load["model"].cuda()``, perhaps with ``.eval()`` between."""
    if not isinstance(move.func, ast.Attribute) or len(move.args) != (move.func.attr == "to"):
        return False
    return _part(under_methods(move.func.value, api.MODES, until=load), load)


def _part(expr: ast.expr, load: ast.Call) -> bool:
    """Whether an expression is the result of a load, or an item of it under a literal key."""
    while isinstance(expr, ast.Subscript) and isinstance(expr.slice, ast.Constant):
        expr = expr.value
    return expr is load


def _method(call: ast.Call) -> str:
    """The name of the method that is called; empty for a function."""
    return call.func.attr if isinstance(call.func, ast.Attribute) else ""


def _guarded(stmt: Stmt) -> Stmt:
    """The one statement of an ``if`` without another arm, else the statement itself."""
    inner = stmt.suites[0].stmts if isinstance(stmt.node, ast.If) and len(stmt.suites) == 1 else []
    return inner[0] if len(inner) == 1 else stmt


def _turned(value: ast.expr, call: ast.Call) -> bool:
    """Whether an expression is a call, perhaps with ``.eval()`` behind it."""
    return under_methods(value, api.MODES, until=call) is call


def _is(node: ast.AST, text: str) -> bool:
    """Whether a node is a name, or a chain of them."""
    return isinstance(node, (ast.Name, ast.Attribute)) and dotted(node) == text


def _only_turned(node: ast.stmt, name: str) -> bool:
    """``name.eval()`` and ``name.train()``, statements of their own."""
    value = node.value if isinstance(node, ast.Expr) else None
    func = value.func if isinstance(value, ast.Call) and not value.args else None
    return isinstance(func, ast.Attribute) and func.attr in api.MODES and _is(func.value, name)
