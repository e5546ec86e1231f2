"""The flag that governs CUDA at a statement, and where its value is settled."""

from __future__ import annotations

import ast
import re
from functools import cached_property
from typing import TYPE_CHECKING

from placefix.facts import torch_api as api
from placefix.facts.devices.reaching_devices import ReachingDevices
from placefix.facts.interpret.attribute_writes import AttributeStores, stores_of
from placefix.facts.program.arguments import self_class
from placefix.facts.program.ast_names import argument_values, dotted, is_literal
from placefix.facts.program.ast_walk import walk
from placefix.facts.program.callees import definition_of, possible_definition
from placefix.facts.program.conditions import AVAILABLE, Test
from placefix.facts.program.device_values import condition
from placefix.facts.program.tree import Scope, Stmt, common, dominates

if TYPE_CHECKING:
    from placefix.facts.context import AnalysisContext

# Functions that only read options.
_READERS = frozenset({"print", "pprint", "main", "info", "debug", "warning", "log"})


class Conditions(ReachingDevices):
    """Finds the flag under which CUDA is used at a statement."""

    def __init__(self, context: AnalysisContext) -> None:
        super().__init__(context)
        self._flag_of: dict[Scope, tuple[Test, bool] | None] = {}
        self._handed_on: dict[str, list[Stmt]] = {}

    def flag_at(self, stmt: Stmt) -> tuple[Test, bool] | None:
        """The flag for CUDA at `stmt`: a flag of the function before one of the script, the one that
        most tests read; None if there is none, or if more tests query availability."""
        if stmt.scope not in self._flag_of:
            self._flag_of[stmt.scope] = self._flag_in(stmt.scope)
        return self._flag_of[stmt.scope]

    def _flag_in(self, scope: Scope) -> tuple[Test, bool] | None:
        best: tuple[Test, bool] | None = None
        weight = 0
        bare = sum(
            placing
            for (test, positive), (_, placing) in self._flags.items()
            if not test.roots and condition(test, positive) == AVAILABLE
        )
        for (test, positive), (count, placing) in self._flags.items():
            if not all(scope.lookup(name) is owner for name, owner in test.roots):
                continue
            # the script's name for availability counts everywhere
            more = bare if test.roots and condition(test, positive) == AVAILABLE else 0
            score = 100 * (placing + more) + (count if test.roots else 0)
            if any(owner is scope and owner.is_function for _, owner in test.roots):
                score += 100_000
            if score > weight:
                best, weight = (test, positive), score
        return best if best is not None and best[0].roots else None

    def places_under(self, test: Test, positive: bool) -> bool:
        """Whether something is placed where a flag is set, and not otherwise."""
        key = condition(test, positive)
        return any(
            placing and condition(*asked) == key and asked[0].roots == test.roots
            for asked, (_, placing) in self._flags.items()
        )

    def key_at(self, stmt: Stmt) -> tuple[object, ...]:
        """The key of the question that a new device at `stmt` answers."""
        flag = self.flag_at(stmt)
        return AVAILABLE if flag is None else condition(*flag)

    @cached_property
    def _flags(self) -> dict[tuple[Test, bool], tuple[int, int]]:
        """The tests for CUDA in the file: the number of tests by each, and how many of them place something."""
        seen: dict[tuple[object, ...], tuple[Test, bool]] = {}  # by condition and names
        found: dict[tuple[Test, bool], tuple[int, int]] = {}

        def count(test: Test, positive: bool, placing: bool) -> None:
            """Count one test, with the answer that means CUDA; placing: whether tensors are placed under it."""
            slot = seen.setdefault((condition(test, positive), test.roots), (test, positive))
            a, b = found.get(slot, (0, 0))
            found[slot] = (a + 1, b + placing)

        for stmt in self.tree.stmts.values():
            if isinstance(stmt.node, ast.If):
                read = self.tests.read(stmt.node.test, stmt.scope)
                if read is not None:
                    then = any(_places(s.node) for s in stmt.suites[0].stmts)
                    other = len(stmt.suites) > 1 and any(_places(s.node) for s in stmt.suites[1].stmts)
                    if then != other:
                        count(read, then, True)
                    elif not then and not read.indirect and (side := self._cuda_side(stmt, read)) is not None:
                        count(read, side, False)
        for node, stmt in self.index.conditionals:
            read = self.tests.read(node.test, stmt.scope)
            if read is not None and _places(node.body) != _places(node.orelse):
                count(read, _places(node.body), True)
        return found

    def _cuda_side(self, stmt: Stmt, read: Test) -> bool | None:
        """Which answer means CUDA at an `if` that places nothing: the one under which torch.cuda is used, or that
        the machine has a GPU; None if unknown: a warning may be under the opposite, too."""
        sides = [
            any(self._uses_cuda(s.node, stmt.scope) and not self._chooses(s, read) for s in suite.stmts)
            for suite in stmt.suites
        ]
        if any(sides):
            return sides[0] if sides.count(True) == 1 else None
        return not read.negated if read.available else None

    def _chooses(self, stmt: Stmt, read: Test) -> bool:
        """Whether a statement makes the GPU current whose number is tested: ``if args.gpu: torch.cuda.set_device(args.gpu)``."""
        call = stmt.node.value if isinstance(stmt.node, ast.Expr) else None
        return (
            isinstance(call, ast.Call)
            and self.tree.qualname(call.func, stmt.scope) == "torch.cuda.set_device"
            and any(dotted(part) in read.reads for part in walk(call) if isinstance(part, ast.Name | ast.Attribute))
        )

    def _uses_cuda(self, node: ast.AST, scope: Scope) -> bool:
        """Whether a statement calls or reads something of ``torch.cuda`` other than queries of the machine."""
        names = {self.tree.qualname(part, scope) or "" for part in walk(node) if isinstance(part, ast.Attribute)}
        return any(n.startswith("torch.cuda.") and n not in api.ASKING for n in names)

    def settled(self, test: Test, since: Stmt | None, until: Stmt) -> bool:
        """Whether nothing sets a name that `test` reads between the statements `since` and `until`."""
        if since is not None and since.scope is not until.scope and self._set_elsewhere(test):
            return False
        for name, owner in test.roots:
            writers = [*self.index.binding(owner, name)]
            for text in test.reads:
                if text.partition(".")[0] == name and "." in text:
                    cls = self_class(owner, name)
                    method = since is not None and since.scope is not until.scope
                    if cls is not None and method and self._set_outside(text, cls):
                        return False
                    writers += self._attribute_writers(text, name, owner, cls)
            if not all(_is_over(writer, since, until) for writer in writers):
                return False
        return True

    def _attribute_writers(self, text: str, name: str, owner: Scope, cls: Scope | None) -> list[Stmt]:
        """The statements that set an attribute of the object `name` of a scope, or of an object of the class."""
        direct = [
            w.stmt
            for w in self.index.written(text)
            if w.stmt.scope.lookup(name) is owner or (cls is not None and w.stmt.scope.parent is cls)
        ]
        return [*direct, *(w for w in self._set_by_calls(text) if w.scope.lookup(name) is owner)]

    def _set_by_calls(self, text: str) -> list[Stmt]:
        """The statements that hand the object whose attribute `text` is to code that sets it: ``log = prepare(args)``."""
        if text not in self._handed_on:
            held, _, attr = text.rpartition(".")
            around = {stmt for _, stmt in self.index.read(held)} if held else ()
            self._handed_on[text] = [
                stmt
                for call, stmt in (self.index.calls if around else ())
                if stmt in around and any(dotted(a) == held for a in argument_values(call))
                if (code := self._code_of(call.func, stmt.scope)) is not None and _sets(attr, code.tree.text(code))
            ]
        return self._handed_on[text]

    def _code_of(self, func: ast.expr, scope: Scope) -> Scope | None:
        """The function or class that a call may run, of the file or of its repository."""
        return definition_of(func, scope, self.home) or possible_definition(func, scope)

    def _set_outside(self, text: str, cls: Scope) -> bool:
        """Whether an attribute of an object, named `text` in its methods (``self.use_cuda``), is set by other code of the file, too."""
        stores = stores_of(self.context.get(AttributeStores).known, text.partition(".")[2], cls)
        return any(store.cls is not cls for store in stores)

    def flag_before(self, stmt: Stmt) -> tuple[Test, bool] | None:
        """The script's own flag if it is settled before `stmt` of the same scope."""
        flag = self.flag_at(stmt)
        if flag is None:
            return None
        writers = self._writers(flag, stmt.scope)
        if writers is None or not all(dominates(w, stmt) for w in writers):
            return None
        return flag if all(owner is stmt.scope or owner.is_root for _, owner in flag[0].roots) else None

    def _set_elsewhere(self, test: Test) -> bool:
        """Whether a name that `test` reads may be set after the module was executed, without an assignment in the file:
        an attribute of an import (``cfg.CUDA``, which a configuration file is merged into), of an object with a parse method that is
        called, or a literal of a file that is not run as a script."""
        if test.available:
            return False
        for name, owner in test.roots:
            if not owner.is_root:
                continue
            inside = any(text.startswith(f"{name}.") for text in test.reads)
            if name in owner.imports:
                if inside:
                    return True
                continue
            values = self.index.values(owner, name)
            made = [getattr(w.stmt.node, "value", None) for w in values]
            if inside and (not made or not all(isinstance(v, ast.Call) for v in made) or name in self._told):
                return True
            if (
                not inside
                and not self.execution.is_script
                and values
                and all(isinstance(w.value, ast.Constant) for w in values)
            ):
                return True
        return False

    @cached_property
    def _told(self) -> set[str]:
        """The names of objects with a method called for its effect, or passed to a function called for its effect: ``opt.parse(words)``,
        ``update(cfg, words)``."""
        found: set[str] = set()
        for call, stmt in self.index.calls:
            if not isinstance(stmt.node, ast.Expr) or stmt.node.value is not call:
                continue
            func = call.func
            if isinstance(func, ast.Attribute):
                found.add(dotted(func.value).partition(".")[0])
            if (func.attr if isinstance(func, ast.Attribute) else dotted(func)) not in _READERS:
                found.update(a.id for a in call.args if isinstance(a, ast.Name))
        return found

    def _writers(self, flag: tuple[Test, bool] | None, home: Scope) -> list[Stmt] | None:
        """The statements that set the names that the flag reads; None if some are outside of `home`."""
        if flag is None:
            return []
        found: list[Stmt] = []
        for name, owner in flag[0].roots:
            found += self.index.binding(owner, name) if owner is home else ()
        if any(s.scope is not home for s in found):
            return None  # a function sets it through `global`
        for text in flag[0].reads:
            if "." not in text:
                continue
            root = text.partition(".")[0]
            for stmt in (*(w.stmt for w in self.index.written(text)), *self._set_by_calls(text)):
                scope = stmt.scope
                if scope is home:
                    found.append(stmt)
                elif scope.lookup(root) is home.lookup(root) and not (scope.is_root and home.is_function):
                    return None
        return found


def _sets(attr: str, code: str) -> bool:
    """Whether code may set an attribute of one of its arguments."""
    return re.search(rf"\b(?!self\b|cls\b)\w+\.{attr}\s*=(?!=)|\bsetattr\(|\b__dict__\b|\bvars\(", code) is not None


def _is_over(writer: Stmt, since: Stmt | None, until: Stmt) -> bool:
    """Whether a statement cannot run between the statements `since` and `until`."""
    if since is not None and since.scope is until.scope and _in_constructor(writer, since):
        return True  # the object is made before its methods run
    if since is None or since.scope is not writer.scope:
        return writer.scope is not until.scope and writer.scope.is_root
    if dominates(writer, since):
        return True
    pair = common(writer, since)
    return pair is not None and pair[0].index <= pair[1].index and pair[0] is not pair[1]


def _in_constructor(writer: Stmt, since: Stmt | None) -> bool:
    """Whether a statement is in the constructor of the object whose other method has `since`."""
    home, cls = writer.scope, writer.scope.cls
    if since is None or cls is None or home.name != "__init__":
        return False
    return since.scope is not home and since.scope.parent is cls


def _places(node: ast.AST) -> bool:
    return any(
        (
            isinstance(n, ast.Call)
            and isinstance(n.func, ast.Attribute)
            and n.func.attr in ("cuda", "to")
            and not _on_cpu(n)
        )
        or (isinstance(n, ast.Attribute) and n.attr in api.TENSOR_TYPES and dotted(n.value).endswith("cuda"))
        for n in walk(node)
    )


def _on_cpu(call: ast.Call) -> bool:
    """``x.to("cpu")``, ``x.to(torch.device("cpu"))``"""
    first = call.args[0] if call.args else None
    if isinstance(first, ast.Call) and first.args:
        first = first.args[0]
    return is_literal(first, "cpu")
