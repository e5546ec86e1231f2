"""When a process chooses the GPUs that it sees, or forks: it must not query CUDA before that."""

from __future__ import annotations

import ast
import re
from functools import cached_property
from typing import TYPE_CHECKING

from placefix.byte_patterns import in_bytes
from placefix.facts import torch_api as api
from placefix.facts.devices.cuda_conditions import Conditions
from placefix.facts.naming import last, names_gpu_choice
from placefix.facts.program.ast_names import dotted
from placefix.facts.program.statement_forms import is_main_guard
from placefix.facts.program.tree import Stmt, dominates

if TYPE_CHECKING:
    from placefix.facts.context import AnalysisContext
    from placefix.facts.program.repository import Home


# Ways to fork, packages to fork with, and settings that replace forking.
_FORKS = re.compile(r"\b(?:Process|Pool|ProcessPoolExecutor|start_processes|fork)\b")
_PACKAGES = re.compile(r"\bmultiprocessing\b(?!\.dummy)|\bconcurrent\.futures\b|\bos\.fork\b")
_SPAWNS = re.compile(r"[\"'](?:spawn|forkserver)[\"']")
_VISIBLE = "CUDA_VISIBLE_DEVICES"
# ``environ[…] = …`` and ``putenv(…)``, from the letters on that both have: a pattern that begins with letters is found ten times faster.
_WRITES_VISIBLE = r"""env(?:iron(?<!\wenviron)(?:\[\s*["']CUDA_VISIBLE_DEVICES["']\s*\]\s*=(?!=)|\.(?:setdefault|update)\([^\n]*CUDA_VISIBLE)|(?<=\bputenv)\([^\n]*CUDA_VISIBLE)"""


class Visibility(Conditions):
    """Finds the statements of a file, and of the files that import it, before which CUDA must not be queried."""

    def __init__(self, context: AnalysisContext) -> None:
        super().__init__(context)
        self._choosing: dict[str, bool] = {}

    @cached_property
    def forks(self) -> bool:
        """Whether processes may be forked from one whose module level does not query CUDA. A query
        keeps processes that are forked afterwards from using CUDA (torch's note on poison fork)."""
        text = self.tree.source.text
        if not _FORKS.search(text) or not _PACKAGES.search(text) or _SPAWNS.search(text):
            return False
        return not any(
            self.runs_on_import(stmt)
            and (
                self.tree.qualname(call.func, stmt.scope) in api.AVAILABILITY
                or (isinstance(call.func, ast.Attribute) and call.func.attr == "cuda")
            )
            for call, stmt in self.index.calls
        )

    @cached_property
    def chosen_by_importers(self) -> bool:
        """Whether other files import this one, and may choose the visible GPUs or fork processes only after that: a query of CUDA on
        import would be too early."""
        home = self.context.home
        if home is None or not (self._late(home) or self._forking(home)):
            return False
        return bool(home.importers(home.path))

    @staticmethod
    def _late(home: Home) -> bool:
        """Whether a file of the repository writes CUDA_VISIBLE_DEVICES in a function, or below imports of others."""
        for file in home.sharing(_WRITES_VISIBLE):
            there = home._replace(path=file)
            data = home.project.files.read(file) or b""
            for found in in_bytes(_WRITES_VISIBLE).finditer(data):
                start = data.rfind(b"\n", 0, found.start()) + 1
                if data[start : start + 1].isspace() or any(map(there.has, there.mentioned(start))):
                    return True
        return False

    @staticmethod
    def _forking(home: Home) -> bool:
        """Whether a file of the repository forks processes, and mentions CUDA."""
        for file in home.sharing(r"\b(?:Process|Pool|ProcessPoolExecutor|start_processes|fork)\b"):
            text = (home.project.files.read(file) or b"").decode("utf-8", "replace")
            if "cuda" in text and _FORKS.search(text) and _PACKAGES.search(text) and not _SPAWNS.search(text):
                return True
        return False

    def runs_on_import(self, stmt: Stmt) -> bool:
        """Whether a statement runs where another file imports this one: at the module level, or in the body of a class."""
        outer = self.tree.module_statement(stmt)
        return outer is not None and not any(is_main_guard(a) for a in outer.ancestors())

    def asked_on_import(self, stmt: Stmt) -> bool:
        """Whether a query at a statement runs before the files that import this one choose the visible GPUs."""
        return self.runs_on_import(stmt) and self.chosen_by_importers

    @cached_property
    def env_writes(self) -> list[Stmt]:
        """Statements that choose the visible GPUs: CUDA must not be queried before them."""
        star = self.tree.root.star_import
        found = [
            stmt
            for call, stmt, name in self.index.named
            if (name is not None or star) and self._chooses_elsewhere(call, stmt, name)
        ]
        if _VISIBLE not in self.tree.source.text:
            return found
        for stmt in self.tree.stmts.values():
            node = stmt.node
            if isinstance(node, (ast.Assign, ast.Expr, ast.AugAssign)) and _VISIBLE in self.context.text(stmt):
                if isinstance(node, ast.Expr) and (
                    isinstance(node.value, ast.Constant) or not re.search(r"environ|putenv", self.context.text(stmt))
                ):
                    continue
                if isinstance(node, ast.Assign) and not any(
                    "CUDA_VISIBLE" in self.tree.source.code(t) for t in node.targets
                ):
                    continue
                found.append(stmt)
        return found

    def chosen_after(self, stmt: Stmt) -> bool:
        """Whether the visible GPUs may be chosen only after a statement has run."""
        outer = self.tree.module_statement(stmt)
        return any(
            not dominates(write, stmt)
            if write.scope is stmt.scope
            else outer is not None and not (write.scope is outer.scope and dominates(write, outer))
            for write in self.env_writes
        )

    def _chooses_elsewhere(self, call: ast.Call, stmt: Stmt, name: str | None) -> bool:
        """Whether a call of something imported, under its qualified name, may choose the visible GPUs: by its code, or by its
        name where that is not found."""
        if name is None:
            text = dotted(call.func) if self.tree.root.star_import else ""
            return names_gpu_choice(text) and stmt.scope.lookup(text) is None
        if name not in self._choosing:
            self._choosing[name] = not name.startswith("torch.") and self._chooses_by(name)
        return self._choosing[name]

    def _chooses_by(self, name: str) -> bool:
        """Whether the function or class of another file that is imported under a qualified name may choose the visible GPUs."""
        named = names_gpu_choice(last(name))
        if self.home is None or not (named or self.home.mentions(name, _VISIBLE.encode())):
            return named
        found = self.home.find(name)
        if found is None or found.scope is None:
            return named
        tree, own = found.tree, found.tree.text(found.scope)
        writing = [n for n, function in tree.root.functions.items() if _VISIBLE in tree.text(function)]
        return _VISIBLE in own or any(n + "(" in own for n in writing)
