"""Reasons why a use of CUDA must not be rewritten: for all uses of its file, or for this one."""

from __future__ import annotations

import ast
from functools import cached_property
from os.path import basename
from typing import TYPE_CHECKING

from placefix.facts import cuda_api, premises, reasons
from placefix.facts import torch_api as api
from placefix.facts.context import FileAnalysis
from placefix.facts.interpret.class_summaries import ClassSummaries
from placefix.facts.naming import mentions_cuda_or_cpu
from placefix.facts.program.arguments import receiver_name
from placefix.facts.program.ast_names import called_name, dotted, identifiers, literal_text
from placefix.facts.program.device_values import device_of_word
from placefix.facts.program.statement_forms import are_exclusive
from placefix.rules.cuda.gpu_requirements import Intents
from placefix.rules.cuda.use_sites import cuda_argument
from placefix.rules.ordering.moved_parameters import keeps_moved

if TYPE_CHECKING:
    from placefix.facts.context import AnalysisContext
    from placefix.facts.devices.cuda_uses import Site
    from placefix.facts.program.tree import Stmt, Suite
    from placefix.facts.wording import Premise, Reason

# Code that may make another GPU than the first the current one, in the bytes of a file.
_SELECTS = r"\bset_device(?:_index)?[ \t]*\((?!\s*0\s*\))|\bcuda\.device(?:_of)?[ \t]*\("


class Refusals(FileAnalysis):
    """Answers for one file."""

    def __init__(self, context: AnalysisContext) -> None:
        super().__init__(context)
        self._fallbacks: dict[Suite, Reason | None] = {}

    @cached_property
    def of_file(self) -> Reason | None:
        """Why nothing in this file may be respelled, None where it may."""
        if self._sets_default_device and not self._of_several:
            return reasons.DEFAULT_DEVICE_SET
        return self._of_others

    @property
    def _of_others(self) -> Reason | None:
        """Why not even the default device that the file sets may be respelled."""
        return self._of_several or self._of_loader or self._of_framework or self._of_library

    @cached_property
    def _of_several(self) -> Reason | None:
        """That the file names several GPUs."""
        if len(self.indices) < 2:
            return None
        return reasons.SEVERAL_GPUS(names=", ".join(f"cuda:{i}" for i in sorted(self.indices)))

    @property
    def _sets_default_device(self) -> bool:
        """Whether the file sets the device of all new tensors."""
        name = "set_default_device"
        called = self.index.called(name) if name in self.tree.source.text else ()
        return any(self.tree.qualname(call.func, stmt.scope) == f"torch.{name}" for call, stmt in called)

    @cached_property
    def _has_parameters(self) -> bool:
        """Whether the file may make a parameter."""
        return "Parameter" in self.tree.source.text

    @property
    def _of_loader(self) -> Reason | None:
        """The option of a call that loads a model on a device."""
        loads = any(word in self.tree.source.text for word in api.LOADED_PLACED)
        for call, _ in self.index.calls if loads else ():
            for keyword in call.keywords:
                if keyword.arg in api.LOADED_PLACED and not _nothing(keyword.value):
                    return reasons.LOADER_PLACES(option=keyword.arg)
        return None

    @cached_property
    def _of_framework(self) -> Reason | None:
        """The framework that places things in this file."""
        name = self.tree.framework if not self._says_where_itself else ""
        name = name or self._trainer()
        if not name:
            return None
        kind = "Trainer" if name.endswith("Trainer") else name
        device = api.FRAMEWORK_DEVICES.get(kind)
        return reasons.FRAMEWORK_DEVICE(name=name, device=device) if device else reasons.FRAMEWORK_PLACES(name=name)

    @cached_property
    def _of_library(self) -> Reason | None:
        """The library for GPUs that the file imports: Triton, or another one in every run."""
        if any(name.partition(".")[0] == "triton" for name in self.tree.imported):
            return reasons.TRITON_KERNELS
        nodes = (stmt.node for stmt in self.tree.root.body.stmts)
        imports = (node for node in nodes if isinstance(node, (ast.Import, ast.ImportFrom)))
        found = next((name for node in imports for name in _packages(node) if name in cuda_api.PACKAGES), None)
        return reasons.LIBRARY_FOR_GPUS(library=found) if found is not None else None

    def own_device(self, site: Site) -> str:
        """``self.device`` for an unguarded use in a method of a LightningModule, which Lightning has placed by then; "" for others."""
        method = site.stmt.scope
        cls, me = method.cls, receiver_name(method)
        plain = site.is_move or site.form == "argument"
        if cls is None or not plain or site.guard is not None or site.index or site.extra is not None:
            return ""
        if not me or method.name in api.BEFORE_PLACEMENT or method.function.decorator_list or me in method.globals:
            return ""
        bases = self.context.get(ClassSummaries).of(cls).bases
        lightning = any(base.endswith(".LightningModule") and base.partition(".")[0] in api.LIGHTNING for base in bases)
        return f"{me}.device" if lightning and "device" not in cls.bindings else ""

    def _in_another_arm(self, site: Site) -> bool:
        """Whether each import of the framework is in another arm of an ``if`` than the use."""
        wanted = {name for name in api.FRAMEWORKS if any(n.partition(".")[0] == name for n in self.tree.imported)}
        imports = [
            stmt
            for stmt in self.tree.stmts.values()
            if isinstance(stmt.node, (ast.Import, ast.ImportFrom)) and wanted & set(_packages(stmt.node))
        ]
        return bool(imports) and all(are_exclusive(stmt, site.stmt) for stmt in imports)

    @property
    def _says_where_itself(self) -> bool:
        """Whether the file's framework leaves the placement to the script: ignite's engines move batches to the device they
        are given, and no modules; ignite.distributed does."""
        asked = {n for n in self.tree.imported if n.partition(".")[0] in api.FRAMEWORKS}
        return all(n.partition(".")[0] == "ignite" and not n.startswith("ignite.distributed") for n in asked)

    def _trainer(self) -> str:
        """A trainer of a library that the file makes or derives from, or an empty string."""
        if "Trainer" not in self.tree.source.text:
            return ""
        named = [(call.func, stmt.scope) for call, stmt in self.index.calls if called_name(call).endswith("Trainer")]
        for scope in self.tree.scopes.values():
            if scope.is_class and scope.parent is not None:
                named += [(base, scope.parent) for base in scope.node.bases]  # type: ignore[union-attr]
        for expr, scope in named:
            name = self.tree.qualname(expr, scope) or ""
            if name.startswith(("transformers.", "trl.")) and name.endswith("Trainer"):
                return name.rpartition(".")[2]
        return ""

    @cached_property
    def selects_elsewhere(self) -> str:
        """The name of another file of the repository that may make another GPU the current one; empty where none does."""
        home = self.context.home
        return next((basename(file) for file in home.sharing(_SELECTS)), "") if home is not None else ""

    def other_gpu(self, device: str, index: int | None, site: Site) -> Premise | None:
        """Why a device may be another GPU than the one that a site names: one of them has an index (None for the current GPU), the other
        has none, and another file changes the current GPU; None if they are the same."""
        if index == site.index or not self.selects_elsewhere:
            return None
        row = premises.NUMBERED_IS_CURRENT_GPU if index is not None else premises.DEVICE_IS_FIRST_GPU
        return row(device=device, file=self.selects_elsewhere)

    def _by_file(self, site: Site) -> Reason | None:
        """Why the file keeps a site, None if it does not."""
        if site.form == "definition" and isinstance(site.stmt.node, ast.Expr):  # the default device itself
            return self._of_others
        if self.of_file is not None and self.of_file is self._of_framework and not self._of_library:
            apart = bool(self.own_device(site)) or self._in_another_arm(site)
            return None if apart else self.of_file
        return self.of_file

    def of(self, site: Site) -> Reason | None:
        """Why this site must not be rewritten in place, None if it may."""
        by_file = self._by_file(site)
        if by_file:
            return by_file
        moves = site.node if site.is_move and self._has_parameters else None
        if isinstance(moves, ast.Call) and keeps_moved(self.context, moves, site.stmt):
            return reasons.MOVED_PARAMETER
        if (site.form in ("argument", "to") or site.is_definition) and self._default_type:
            return reasons.DEFAULT_TENSOR_TYPE
        fallback = self.fallback(site.stmt)
        if fallback:
            return fallback
        named = site.stmt.scope.function_named(self.context.accelerator.names) if not site.is_definition else None
        if named is None or self.context.get(Intents).mover(site) is not None:
            return None
        return reasons.NAMED_FOR_CUDA(function=named.name, accelerator=self.context.accelerator.title)

    @cached_property
    def _default_type(self) -> bool:
        """Whether new tensors are made on the GPU by default; an explicit move is then redundant."""
        given = [call.args[0] for call, _ in self.index.called("set_default_tensor_type") if call.args]
        chosen = (one.body if isinstance(one, ast.IfExp) else one for one in given)
        return any((literal_text(one) or dotted(one)).startswith("torch.cuda") for one in chosen)

    def fallback(self, stmt: Stmt) -> Reason | None:
        """A try around the site whose handler goes on without a GPU."""
        around: list[Suite] = []  # whose answer is not known yet
        suite: Suite | None = stmt.suite
        while suite is not None and suite not in self._fallbacks:
            around.append(suite)
            suite = suite.owner.suite if suite.owner is not None else None
        found = self._fallbacks[suite] if suite is not None else None
        for suite in reversed(around):
            found = self._fallbacks[suite] = found or self._fallback_of(suite)
        return found

    def _fallback_of(self, tried: Suite) -> Reason | None:
        """The same of the body of one try."""
        owner = tried.owner
        if owner is None or not isinstance(owner.node, ast.Try) or tried.arm != "body":
            return None
        for handler, suite in zip(
            owner.node.handlers, (s for s in owner.suites if s.arm.startswith("handler")), strict=True
        ):
            caught = identifiers(handler.type) if handler.type is not None else {"BaseException"}
            about = len(tried.stmts) <= 2 or any(mentions_cuda_or_cpu(self.context.text(s)) for s in suite.stmts)
            if about and any(map(_is_broad, caught)) and not isinstance(handler.body[0], ast.Raise):
                return reasons.HANDLED_WITHOUT_GPU
        return None

    @cached_property
    def indices(self) -> frozenset[int]:
        """The GPUs that the file names by number."""
        words = (device_of_word(node.value) for node in self.context.tree.root.nodes if isinstance(node, ast.Constant))
        found = {word.index for word in words if word is not None and word.index is not None}
        for call, _ in self.index.called("cuda"):
            if isinstance(call.func, ast.Attribute):
                index, _ = cuda_argument(call)
                if index is not None:
                    found.add(index)
        for call, stmt in self.index.called("device"):
            if len(call.args) == 2 and isinstance(call.args[1], ast.Constant) and isinstance(call.args[1].value, int):
                if self.tree.qualname(call.func, stmt.scope) == "torch.device":
                    found.add(call.args[1].value)
        for call, _ in self.index.called("to"):
            given = call.args[0] if call.args else None
            if isinstance(given, ast.Constant) and isinstance(given.value, int):
                found.add(given.value)
        return frozenset(found)

    @cached_property
    def selects(self) -> bool:
        """Whether something in the file makes another GPU the current one, or names one by a variable."""
        for call, stmt in self.index.called("set_device", "device", "set_default_device", "set_device_index"):
            name = self.tree.qualname(call.func, stmt.scope)
            if name in (
                "torch.cuda.set_device",
                "torch.cuda.device",
                "torch.set_default_device",
                "torch.accelerator.set_device_index",
            ):
                return True
        for call, _ in self.index.called("cuda"):
            if isinstance(call.func, ast.Attribute) and cuda_argument(call)[1] is not None:
                return True
        words = (literal_text(node) or "" for node in self.context.tree.root.nodes)
        return bool(self.indices - {0}) or any(
            word == "cuda:" or word.startswith(("cuda:{", "cuda:%")) for word in words
        )


def _packages(node: ast.Import | ast.ImportFrom) -> list[str]:
    """The packages that a statement imports from; none of the repository by a relative name."""
    if isinstance(node, ast.Import):
        names = [alias.name for alias in node.names]
    else:
        names = [node.module] if node.module is not None and not node.level else []
    return [name.partition(".")[0] for name in names]


def _nothing(value: ast.expr) -> bool:
    """``None`` and ``False``, which require nothing."""
    return isinstance(value, ast.Constant) and not value.value


def _is_broad(error: str) -> bool:
    """Whether an error of this class may be that there is no GPU."""
    return error.endswith(("RuntimeError", "AssertionError", "Exception", "CudaError"))
