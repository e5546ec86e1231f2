"""Code of the repository's other files in the abstract interpreter.

A function, class or device that is imported from another file of the repository (`repository`) is
interpreted like the file's own code, with the same arguments. Its effects on modules,
optimizers and tensors change the state here and count as effects of the call in this file;
nothing is reported in the other file, and no text of it is ever written here.
"""

from __future__ import annotations

import ast
from contextlib import contextmanager
from typing import TYPE_CHECKING

from placefix.facts.interpret.choices import callable_of, registry_value
from placefix.facts.interpret.class_summaries import decorated
from placefix.facts.interpret.interpreter_base import Machine
from placefix.facts.interpret.usage_evidence import evidence
from placefix.facts.interpret.values import Frame, Obj
from placefix.facts.program.registrations import registry_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from placefix.facts.interpret.interpreter_base import Arguments, Known
    from placefix.facts.interpret.values import ObjKind
    from placefix.facts.program.repository import Definition
    from placefix.facts.program.tree import Scope, Tree

# Values that a call may change, so that the callee has to be followed.
_HANDED: frozenset[ObjKind] = frozenset(
    (
        "module",
        "wrapper",
        "compiled",
        "optimizer",
        "scheduler",
        "loader",
        "element",
        "tensor",
        "part",
        "params",
        "instance",
        "method",
    )
)
MAX_LINES = 250  # of a function that is followed
MAX_CROSSED = 2500  # lines that are followed from one file
MAX_ACTIVATIONS = 240  # in other files, for one file


class ImportedCode(Machine):
    """Follows imports into other files."""

    def found(self, name: str, root: Scope | None) -> Definition | None:
        """The definition, in another file, of an import named `name` in the file of `root`; None if it is not found."""
        home = root.tree.home if root is not None else None
        if home is None or root is None:
            return None
        key = (root, name)
        if key not in self.elsewhere:
            self.elsewhere[key] = home.find(name)
        return self.elsewhere[key]

    def known_of(self, tree: Tree) -> Known:
        """The imports and modules known in a file; `imports` grows as they are met."""
        if tree not in self.known:
            self.known[tree] = ({}, *evidence(tree.source.text))
        return self.known[tree]

    @contextmanager
    def inside_of(self, tree: Tree, call: ast.expr | None) -> Iterator[None]:
        """Interpret code of another file; `call` leads there, None where nothing does."""
        before = (self.tree, self.source, self.imports, self.evidence, self.evident, self.overlays)
        ours = self.abroad, self.border, self.crossing
        if not self.abroad:
            self.abroad, self.border, self.crossing = True, len(self.stack), call
        self.tree, self.source, self.overlays = tree, tree.source, []
        self.imports, self.evidence, self.evident = self.known_of(tree)
        if tree.root not in self.envs:
            self.activation += 1
            self.extra += 1
            self.envs[tree.root] = self.activation
        try:
            yield
        finally:
            self.tree, self.source, self.imports, self.evidence, self.evident, self.overlays = before
            self.abroad, self.border, self.crossing = ours

    def value_of(self, imported: Obj) -> Obj:
        """The device or device name that an import is bound to in another file; the import itself otherwise."""
        if not imported.is_import or imported.scope is None:
            return imported
        found = self.found(imported.name, imported.scope)
        return (
            self.device_in(found.tree, found.value) or imported
            if found is not None and found.value is not None
            else imported
        )

    def device_in(self, tree: Tree, expr: ast.expr) -> Obj | None:
        """The device, device name or dict of classes that an expression of another file's module level gives; None if it is none."""
        if expr not in self.given:
            self.given[expr] = None  # for one that comes back to itself
            with self.inside_of(tree, None):
                self.scopes_active.append(tree.root)
                self.stack.append(Frame(self.envs[tree.root], tree.root.body.stmts[0]))
                value = self.value_of(self.eval(expr))
                self.stack.pop()
                self.scopes_active.pop()
            if value.is_device or (value.is_constant and isinstance(value.value, str)):
                self.given[expr] = value
            elif value.kind == "dict" and value.items:
                callables = tuple(filter(None, (callable_of(self, item) for item in value.items)))
                if len(callables) == len(value.items):
                    self.given[expr] = Obj("dict", expr, items=callables)
        return self.given[expr]

    def global_of(self, root: Scope, name: str) -> Obj | None:
        """The device, or the dict of classes, that a name of another file's module level is bound to, once and for all."""
        bindings = root.bindings.get(name, ())
        node = bindings[0] if len(bindings) == 1 else None
        plain = isinstance(node, ast.Assign) and len(node.targets) == 1 and root.tree.stmts[node].parent is None
        if not isinstance(node, ast.Assign) or not plain:
            return None
        known = self.device_in(root.tree, node.value)
        registry = registry_of(root.tree, node.value) if known is None else None
        return registry_value(self, registry) if registry is not None else known

    def call_abroad(self, found: Definition, node: ast.Call, args: Arguments) -> Obj | None:
        """The result of calling a class or function of another file; None if it is not followed."""
        scope = found.scope
        if scope is None:
            return None
        handed = any(item.kind in _HANDED for _, _, value in args for item in self.flatten(value))
        if found.kind == "class":
            info = self.class_info(scope)
            init = info.methods.get("__init__")
            known = info.closed and (info.is_module or handed or info.dataset or self._may_make(init))
            return self.instantiate(scope, node, args) if known or info.is_optimizer else None
        stmt = self.stack[-1].stmt.node
        ignored = isinstance(stmt, ast.Expr) and stmt.value is node
        if (ignored and not handed) or not self.may_follow(scope):
            return None
        if not self.abroad:
            texts = {value: self.source.code(expr) for _, expr, value in args if value.is_device}
            self.passed_devices = texts
        return self.local_call(scope, None, node, args)

    def _may_make(self, init: Scope | None) -> bool:
        """Whether to run the constructor of an object that gets nothing which it may change: none once a third of the share of the file is used up."""
        early = self.crossed <= MAX_CROSSED // 3 and self.extra <= MAX_ACTIVATIONS // 3
        return init is None or (early and self.may_follow(init))

    def may_follow(self, scope: Scope) -> bool:
        """Whether a function of another file is plain and small enough to be run, and the file's share not used up."""
        node = scope.node
        if not isinstance(node, ast.FunctionDef) or self.extra > MAX_ACTIVATIONS:
            return False
        lines = line_count(node)
        if lines > MAX_LINES or self.crossed + lines > MAX_CROSSED:
            return False
        return not decorated(scope) and "yield" not in scope.tree.text(scope)


def line_count(node: ast.AST) -> int:
    """The number of lines of a definition."""
    return (node.end_lineno or node.lineno) - node.lineno + 1  # type: ignore[attr-defined,no-any-return]
