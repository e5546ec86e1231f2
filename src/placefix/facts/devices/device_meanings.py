"""The device of an expression: CUDA under a test, CUDA always, the CPU, one GPU, or another device."""

from __future__ import annotations

import ast
import re
from functools import cached_property
from typing import TYPE_CHECKING

from placefix.facts.accelerators import CUDA
from placefix.facts.naming import last, names_device, names_settings
from placefix.facts.program.ast_names import dotted, keyword_value
from placefix.facts.program.conditions import Tests
from placefix.facts.program.device_values import AVAILABLE_DEVICE, Device, device_of_word, is_numbered
from placefix.facts.program.expression_index import Index
from placefix.facts.program.tree import Scope, Stmt, dominates

if TYPE_CHECKING:
    from collections.abc import Sequence

    from placefix.facts.accelerators import Accelerator
    from placefix.facts.program.conditions import Test
    from placefix.facts.program.expression_index import AttributeWrite
    from placefix.facts.program.repository import Definition, Home
    from placefix.facts.program.tree import Tree

# A file that changes the current GPU, or names one by a variable: its cuda:0 is that one.
_SELECTS = re.compile(r"set_device|cuda\.device\(|cuda:\{|cuda:%|cuda:[\"']|CUDA_VISIBLE_DEVICES")

_ANY_ACCELERATOR = AVAILABLE_DEVICE._replace(wide=True)  # of torch.accelerator


class DeviceMeanings:
    """Reads device expressions; the rooms built on it find the one in reach and define new ones.

    home: the file's place in its repository, where names of its imports are looked up; None if they are not.
    accelerator: the one that they are about, in CUDA's place.
    """

    def __init__(
        self,
        tree: Tree,
        home: Home | None = None,
        others: dict[Tree, DeviceMeanings] | None = None,
        index: Index | None = None,
        accelerator: Accelerator = CUDA,
    ) -> None:
        self.tree = tree
        self.home = home
        self.index = Index(tree) if index is None else index
        self.accelerator = accelerator
        self.tests = Tests(tree, self.index, self._question_elsewhere, accelerator)
        self._others: dict[Tree, DeviceMeanings] = {} if others is None else others  # of other files, by tree
        self._others[tree] = self
        self._found: dict[str, Definition | None] = {}

    # --- the device of an import ----------------------------------------------------------

    def _definition_of(self, name: str | None) -> Definition | None:
        """The definition, in another file of the repository, of an import's qualified name; None if it is no value."""
        if name is None or self.home is None:
            return None
        if name not in self._found:
            found = self.home.find(name)
            self._found[name] = found if found is not None and found.value is not None else None
        return self._found[name]

    def _of(self, tree: Tree) -> DeviceMeanings:
        """The meanings of another file."""
        found = self._others.get(tree)
        return (
            found if found is not None else DeviceMeanings(tree, tree.home, self._others, accelerator=self.accelerator)
        )

    def elsewhere(self, name: str | None, depth: int = 0) -> Device | None:
        """The device that an import with a qualified name denotes; None if it is not known to be one."""
        found = self._definition_of(name)
        if found is None or found.value is None:
            return None
        meaning = self._of(found.tree).meaning(found.value, found.tree.root, depth + 1)
        if meaning is None or meaning.is_of_tensor:
            return None
        if meaning.kind == "accelerator":
            return Device("none")  # there may be none
        if meaning.index is not None and (meaning.index or _SELECTS.search(found.tree.source.text)):
            return Device("index")
        return meaning

    def _question_elsewhere(self, name: str) -> tuple[object, ...] | None:
        """The key of the question whose answer is imported under a qualified name."""
        found = self._definition_of(name)
        if found is None:
            return None
        root = found.tree.root
        bound = next((n for n, b in root.bindings.items() if getattr(b[0], "value", None) is found.value), None)
        return self._of(found.tree).tests.named(bound, root) if bound is not None else None

    # --- the device of an expression ----------------------------------------------------

    def meaning(self, expr: ast.expr, scope: Scope, depth: int = 0) -> Device | None:
        """The device that `expr` denotes in `scope`, or None if it is none."""
        if depth > 4:
            return None
        if isinstance(expr, ast.Constant):
            return device_of_word(expr.value, accelerator=self.accelerator.name)
        if isinstance(expr, ast.IfExp):
            return self._either(
                expr.test, self.meaning(expr.body, scope, depth + 1), self.meaning(expr.orelse, scope, depth + 1), scope
            )
        if is_numbered(expr, self.accelerator.name):
            return Device("index")
        if isinstance(expr, ast.Call):
            return self._call(expr, scope, depth)
        if isinstance(expr, ast.BinOp):
            left = self.meaning(expr.left, scope, depth + 1)
            return Device("index") if left is not None and left.kind in ("cuda", "index") else None
        if isinstance(expr, ast.BoolOp) and isinstance(expr.op, ast.Or):
            parts = [self.meaning(v, scope, depth + 1) for v in expr.values]
            if parts[0] is not None and parts[0].kind == "accelerator" and parts[-1] is not None and parts[-1].is_cpu:
                return _ANY_ACCELERATOR
            return Device("other") if all(p is not None for p in parts) else None
        if isinstance(expr, (ast.Name, ast.Attribute)):
            return self._named(expr, scope, depth)
        return None

    def _call(self, expr: ast.Call, scope: Scope, depth: int) -> Device | None:
        name = self.tree.qualname(expr.func, scope) or ""
        if name == "torch.device":
            if not expr.args:
                return Device("other")
            first = self.meaning(expr.args[0], scope, depth + 1)
            if len(expr.args) > 1 or keyword_value(expr, "index") is not None:
                return Device("cpu") if first is not None and first.is_cpu else Device("index")
            return first if first is not None else Device("other")
        if name in ("torch.accelerator.current_accelerator",):
            return Device("accelerator")
        if name == "torch.cuda.current_device":
            return Device("index")
        func = expr.func
        if isinstance(func, ast.Name) and not expr.args and not expr.keywords:
            owner = scope.lookup(func.id)
            if owner is not None and len(owner.bindings.get(func.id, ())) == 1 and func.id in owner.functions:
                return self._returned(owner.functions[func.id], depth)
        return None

    def _returned(self, function: Scope, depth: int) -> Device | None:
        """The device that a function of the file without arguments returns; None if unknown."""
        found: list[tuple[Stmt, Device | None]] = []
        for stmt in self._stmts(function):
            if isinstance(stmt.node, ast.Return):
                value = stmt.node.value
                found.append((stmt, self.meaning(value, function, depth + 1) if value is not None else None))
        if len(found) == 1:
            return found[0][1]
        if len(found) == 2:
            # if test: return cuda [else:] return cpu
            (one, first), (_, second) = found
            parent = one.parent
            if (
                parent is not None
                and isinstance(parent.node, ast.If)
                and one.suite is parent.suites[0]
                and parent.suite is function.body
            ):
                return self._either(parent.node.test, first, second, function)
        return None

    @cached_property
    def _by_scope(self) -> dict[Scope, list[Stmt]]:
        found: dict[Scope, list[Stmt]] = {}
        for stmt in self.tree.stmts.values():
            found.setdefault(stmt.scope, []).append(stmt)
        return found

    def _stmts(self, scope: Scope) -> list[Stmt]:
        return self._by_scope.get(scope, [])

    def _either(self, test: ast.expr, then: Device | None, other: Device | None, scope: Scope) -> Device | None:
        """The device of ``then if test else other``: the first pattern that fits."""
        if then is None or other is None:
            return None
        read = self.tests.read(test, scope)
        by_test = _by_test(read, then, other) if read is not None else None
        if by_test is not None:
            return by_test
        if then.kind == "other" and other.is_conditional:
            return other._replace(wide=True)  # mps first, then cuda, then cpu
        if "index" in (then.kind, other.kind):
            return Device("index")
        if then.kind == other.kind or (then.is_conditional and other.is_conditional):
            return then
        return Device("other")

    def _named(self, expr: ast.Name | ast.Attribute, scope: Scope, depth: int) -> Device | None:
        text = dotted(expr)
        if not text:
            if isinstance(expr, ast.Attribute) and expr.attr == "device":
                return Device("tensor")
            return None
        if names_device(last(text)) and text not in self.index.writes:
            imported = self.elsewhere(self.tree.qualname(expr, scope), depth)
            if imported is not None:
                return imported
        if isinstance(expr, ast.Name):
            owner = scope.lookup(expr.id)
            if owner is None:
                return Device("other") if names_device(expr.id) else None
            value = self.index.only_value(owner, expr.id)
            if value is not None:
                return self.meaning(value, owner, depth + 1)
            return Device("other") if names_device(expr.id) else None
        root, _, rest = text.partition(".")
        if not names_device(last(rest)):
            return None
        found = self._attribute_meaning(text, depth)
        if found is not None:
            return found
        return Device("other") if root == "self" or names_settings(text.split(".")[-2]) else Device("tensor")

    def _attribute_meaning(self, text: str, depth: int) -> Device | None:
        writes = self.index.writes.get(text, ())
        meanings = [self.meaning(w.value, w.stmt.scope, depth + 1) if w.value is not None else None for w in writes]
        if not meanings:
            return None
        if all(m == meanings[0] for m in meanings):
            return meanings[0] or Device("other")
        return self._arms([(w.stmt, m) for w, m in zip(writes, meanings, strict=True)])[1]

    def _arms(self, bound: Sequence[tuple[Stmt, Device | None]]) -> tuple[Stmt | None, Device]:
        """Several definitions of one name: exclusive arms of one `if`, or a default and an override."""
        unknown = Device("other")
        if len(bound) != 2 or any(m is None for _, m in bound):
            return None, unknown
        (a, one), (b, two) = bound
        assert one is not None and two is not None
        if one == two:
            return a, one
        for owner in a.ancestors():
            if (
                isinstance(owner.node, ast.If)
                and b in self._inside(owner)
                and a.suite is owner.suites[0]
                and len(owner.suites) == 2
            ):
                if b.suite is owner.suites[1]:
                    return owner, self._either(owner.node.test, one, two, owner.scope) or unknown
        parent = b.parent
        if (
            parent is not None
            and isinstance(parent.node, ast.If)
            and b.suite is parent.suites[0]
            and len(parent.suites) == 1
            and dominates(a, parent)
        ):
            return parent, self._either(parent.node.test, two, one, parent.scope) or unknown
        return None, unknown

    def chosen(self, writes: Sequence[AttributeWrite]) -> bool:
        """Whether several assignments together are a choice: CUDA under some question, the CPU otherwise."""
        bound = [(w.stmt, self.meaning(w.value, w.stmt.scope) if w.value is not None else None) for w in writes]
        if len(bound) < 2:
            return False
        if self._arms(bound)[1].is_conditional:
            return True
        return any(m is not None and m.is_cpu for _, m in bound) and all(
            m is not None and (not m.is_cuda or any(isinstance(a.node, ast.If) for a in s.ancestors()))
            for s, m in bound
        )

    @staticmethod
    def _inside(owner: Stmt) -> set[Stmt]:
        return {s for suite in owner.suites for s in suite.stmts}


def _by_test(test: Test, then: Device, other: Device) -> Device | None:
    """The device of a conditional expression with a test for CUDA; None if the test does not decide between its arms."""
    if test.available and then.kind == ("cuda" if test.negated else "cpu"):
        return Device("other")  # CUDA exactly where there is none
    if then.kind == "accelerator" and other.is_cpu and test.available:
        return _ANY_ACCELERATOR
    if then.is_cuda and other.kind in ("cpu", "other"):
        wide = other.kind == "other"  # "other" below "cpu": cuda, else mps, else cpu
        if test.available and not test.negated:
            return Device("available", index=then.index, wide=wide)
        return Device("flag", index=then.index, test=test, wide=wide)
    if then.is_cpu and other.is_cuda:
        return Device("flag", index=other.index, test=test, positive=False)
    if then == AVAILABLE_DEVICE and other.is_cpu:
        return then._replace(kind="flag", test=test.and_available())
    return None
