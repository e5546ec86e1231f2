"""The context of an analysis: one parsed file, and the analyses of it that were requested.

An analysis is a class whose constructor takes the context, or a function of it. A rule, or another analysis, requests it
by that object: `context.get(Batches)`. It is made at the first request, and kept. This module imports none of them.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from functools import cached_property
from operator import itemgetter
from typing import TYPE_CHECKING, Any, Generic, TypeVar, cast

from placefix.facts.accelerators import CUDA
from placefix.facts.program.expression_index import Index
from placefix.facts.program.tree import Stmt, Tree
from placefix.prefilter.placements import runs_models

if TYPE_CHECKING:
    import ast
    from collections.abc import Callable, Mapping

    from placefix.diagnostic import Edit, Replace, Span
    from placefix.facts.accelerators import Accelerator
    from placefix.facts.program.repository import Home
    from placefix.facts.program.tree import Scope
    from placefix.facts.wording import Premise
    from placefix.settings import Settings
    from placefix.source import Source

    Analysis = Callable[["AnalysisContext"], Any]

T = TypeVar("T")

_LONGEST = 40  # of the texts that messages quote
_IMPORTS_TORCH = re.compile(r"^[ \t]*import torch\b(?!\.)", re.MULTILINE)


class AnalysisContext:
    """One parsed file with its analyses.

    source: the text; module: its `ast`; settings: the user's settings; home: the file's place in its repository, None
    where other files are not to be read. implementations: for an analysis that is an interface, the one that implements it
    (`rules.registry` has them). new_devices: the edits made so far that define a new device, each with the scope in which
    it does; cuda_tests: those that otherwise matter only without CUDA, such as a new test for it, each with the scope that runs them;
    chosen_devices: those of the latter that make the definition of a device a choice; borrowed_devices: the uses of CUDA that take the
    device of a tensor which they meet; exact_locations: the edits that give a load a location, each with one that gives it none where
    there is CUDA, and the premises that this one does not rest on.
    accelerator: the one that the analyses are about. assume: as in `Tree`.
    """

    def __init__(
        self,
        source: Source,
        module: ast.Module,
        settings: Settings,
        home: Home | None = None,
        implementations: Mapping[Analysis, Analysis] | None = None,
        accelerator: Accelerator = CUDA,
        *,
        assume: bool = True,
    ) -> None:
        self.source = source
        self.module = module
        self.settings = settings
        self.home = home
        self.accelerator = accelerator
        self._assume = assume
        self.new_devices: dict[Edit, Scope] = {}
        self.cuda_tests: dict[Edit, Scope] = {}
        self.chosen_devices: set[Edit] = set()
        self.borrowed_devices: set[ast.expr] = set()
        self.exact_locations: dict[Edit, tuple[Replace, tuple[Premise, ...]]] = {}
        self._implementations = implementations or {}
        self._results: dict[Analysis, Any] = {}
        self._others: dict[object, AnalysisContext] = {}

    def get(self, analysis: Callable[[AnalysisContext], T]) -> T:
        """The result of an analysis of this file: an instance of the class, or the result of the function; computed once."""
        try:
            return cast("T", self._results[analysis])
        except KeyError:
            make = self._implementations.get(analysis, analysis)
            result = self._results[analysis] = make(self)
            return cast("T", result)

    def about(self, accelerator: Accelerator) -> AnalysisContext:
        """The context of the same file for analyses that are about another accelerator than CUDA."""
        other = self._others.get(accelerator.name)
        if other is None:
            other = AnalysisContext(
                self.source, self.module, self.settings, self.home, self._implementations, accelerator
            )
            other.__dict__.update(tree=self.tree, index=self.index)
            self._others[accelerator.name] = other
        return other

    def replacing(self, analysis: Analysis, make: Analysis) -> AnalysisContext:
        """The context of the same file in which `make` gives the result of an analysis, also for the analyses that request it."""
        other = self._others.get((analysis, make))
        if other is None:
            implementations = {**self._implementations, analysis: make}
            other = AnalysisContext(
                self.source, self.module, self.settings, self.home, implementations, self.accelerator
            )
            other.__dict__.update(tree=self.tree, index=self.index, new_devices=self.new_devices)
            self._others[analysis, make] = other
        return other

    @property
    def following(self) -> AnalysisContext:
        """The context of the same file in which the other files of the repository are read, whatever the file does (see `tree`)."""
        if self.tree.home is not None or self.home is None:
            return self
        other = self._others.get("following")
        if other is None:
            other = AnalysisContext(
                self.source, self.module, self.settings, self.home, self._implementations, self.accelerator
            )
            other.__dict__.update(tree=Tree(self.source, self.module, self.home, assume=self._assume))
            self._others["following"] = other
        return other

    def release(self) -> None:
        """Break the reference cycles of the results, so that they go when they are done with: over a repository the cyclic
        collector would cost more than the analysis. No analysis can be requested afterwards."""
        parts = [part for context in (self, *self._others.values()) for part in context._results.values()]
        for part in parts:
            if hasattr(part, "release"):
                part.release()
        trees = (context.__dict__.get("tree") for context in (self, *self._others.values()))
        for tree in dict.fromkeys(filter(None, trees)):
            tree.release()
        for part in (*parts, self.__dict__.get("index")):
            if hasattr(part, "__dict__"):
                part.__dict__.clear()
        for context in (*self._others.values(), self):
            context.__dict__.clear()

    @cached_property
    def tree(self) -> Tree:
        """Scopes, statements, bindings, imports."""
        text = self.source.text
        follow = self.home is not None and (
            runs_models(text.encode("ascii", "replace"))
            or ("import *" in text and not _IMPORTS_TORCH.search(text))  # its torch may come from another file
        )
        return Tree(self.source, self.module, self.home if follow else None, assume=self._assume)

    @cached_property
    def index(self) -> Index:
        """The expressions of the file by kind: calls, tests, names and assignments."""
        return Index(self.tree)

    def span(self, node: ast.AST | Stmt) -> Span:
        """Span of an expression or statement."""
        return self.source.span(node.node if isinstance(node, Stmt) else node)

    def function_at(self, position: int) -> Scope:
        """The innermost function around a position of the text, from its ``def`` to its end; the module outside of functions."""
        starts, functions = self._functions
        at = bisect_right(starts, position)
        around = functions[at - 1].chain() if at else ()
        inside = (scope for scope in around if scope.is_function and position < self.span(scope.node).end)
        return next(inside, self.tree.root)

    @cached_property
    def _functions(self) -> tuple[list[int], list[Scope]]:
        """The functions of the file in the order of their ``def``, and where those are."""
        found = sorted(
            ((self.span(scope.node).start, scope) for scope in self.tree.scopes.values() if scope.is_function),
            key=itemgetter(0),
        )
        return [start for start, _ in found], [scope for _, scope in found]

    def text(self, node: ast.AST | Stmt) -> str:
        """Source text of an expression or statement."""
        return self.source.segment(self.span(node))

    def quoted(self, node: ast.expr, otherwise: str) -> str:
        """How a message names an expression: by its text, or as `otherwise` if that is long."""
        text = self.text(node)
        return f"`{text}`" if len(text) <= _LONGEST and "\n" not in text else otherwise


class FileAnalysis:
    """The base of analyses that are made from the context of a file alone."""

    def __init__(self, context: AnalysisContext) -> None:
        self.context = context

    @cached_property
    def tree(self) -> Tree:
        """The tree of the file."""
        return self.context.tree

    @cached_property
    def index(self) -> Index:
        """The expressions of the file."""
        return self.context.index

    @property
    def accelerator(self) -> Accelerator:
        """The accelerator that the analysis is about."""
        return self.context.accelerator


class _Required(Generic[T]):
    """An attribute of an analysis that is the result of another one."""

    def __init__(self, analysis: Callable[[AnalysisContext], T]) -> None:
        self._analysis = analysis

    def __set_name__(self, owner: type, name: str) -> None:
        self._name = name

    def __get__(self, instance: FileAnalysis, owner: type) -> T:
        result = instance.__dict__[self._name] = instance.context.get(self._analysis)
        return result


def requires(analysis: Callable[[AnalysisContext], T]) -> _Required[T]:
    """The result of another analysis of the file, as an attribute that is found when it is first read: ``flow = requires(Flow)``."""
    return _Required(analysis)
