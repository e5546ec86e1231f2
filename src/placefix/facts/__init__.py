"""Facts: what the analysis knows about one file. Rules ask; they never walk syntax.

`Facts` is a facade over the statement tree (`tree`), the device-flow analysis (`flow`),
order and movability (`order`) and the devices in reach (`devices`).
"""

from __future__ import annotations

import ast
from functools import cached_property
from typing import TYPE_CHECKING

from placefix.diagnostic import Span
from placefix.facts import torch_api as api
from placefix.facts.flow import Flow
from placefix.facts.tree import Stmt, Tree

if TYPE_CHECKING:
    from placefix.settings import Settings
    from placefix.source import Source

__all__ = ["Facts"]


class Facts:
    """The facts of one parsed file. Everything is computed on first use.

    source: the text; module: its `ast`; settings: what the user asked for.
    """

    def __init__(self, source: Source, module: ast.Module, settings: Settings) -> None:
        self.source = source
        self.module = module
        self.settings = settings

    @cached_property
    def tree(self) -> Tree:
        """Scopes, statements, bindings, imports."""
        return Tree(self.source, self.module)

    @cached_property
    def flow(self) -> Flow:
        """The device-flow analysis of the whole file."""
        return Flow(self.tree, self.source)

    @cached_property
    def framework(self) -> str:
        """The framework that places things by itself in this file, or an empty string (C10)."""
        for name in sorted(self.tree.imported):
            found = api.FRAMEWORKS.get(name.partition(".")[0])
            if found is not None:
                return found
        return ""

    def span(self, node: ast.AST | Stmt) -> Span:
        """Span of an expression or statement."""
        return self.source.span(node.node if isinstance(node, Stmt) else node)

    def text(self, node: ast.AST | Stmt) -> str:
        """Source text of an expression or statement."""
        return self.source.segment(self.span(node))
