"""Whether a function shows that a deleted move was needed: a predicate of the text, which asks nothing of placefix.

A mutant of code that is not run is a bug beyond doubt only where what is no longer moved meets what is on the
device, in the same function and in code that is known: a module that the file places is called with it; or an
operator, or a function of torch, takes it together with what the function moves, makes on a device, asks for its
`.device`, or computes of such things; or such a thing is handed to numpy. An index may lie on the CPU. In a module's method its arguments count as such. Everything else may be
right without the move: it is returned, kept, handed to code that is not known, or was there already.
"""

from __future__ import annotations

import ast
import re
from typing import TYPE_CHECKING

from mutators import is_move

if TYPE_CHECKING:
    from collections.abc import Iterator

# What these give lies on the CPU, or is no tensor.
_LEAVES = frozenset(
    (
        "cpu",
        "item",
        "tolist",
        "numpy",
        "size",
        "dim",
        "shape",
        "device",
        "dtype",
        "len",
        "int",
        "float",
        "range",
        "print",
        "format",
    )
)
_TORCH = re.compile(r"^(torch|F|nn\.functional|functional)\.(?!load|save|device)")


def is_shown(original: str, mutant: str) -> bool:
    """Whether the function that `mutant` changed shows that the move which `original` has was needed."""
    before, after = ast.parse(original), ast.parse(mutant)
    for inner, changed in zip(_functions(before), _functions(after), strict=False):
        if ast.dump(inner) != ast.dump(changed):
            return _Function(after, inner, changed).meets()
    return _Function(after, before, after).meets()


def _functions(tree: ast.AST) -> Iterator[ast.AST]:
    """Functions, the innermost first."""
    for child in ast.iter_child_nodes(tree):
        yield from _functions(child)
    if isinstance(tree, (ast.FunctionDef, ast.AsyncFunctionDef)):
        yield tree


class _Function:
    """The names of one changed function that are on the device, and those that no longer are."""

    def __init__(self, tree: ast.Module, before: ast.AST, after: ast.AST) -> None:
        self.after = after
        self.modules = {ast.unparse(n.func.value) for n in ast.walk(tree) if is_move(n)}  # type: ignore[attr-defined]
        kept = _moved(after)
        self.lost = {name: line for name, line in _moved(before).items() if name not in kept}
        self.placed = {
            *kept,
            *(
                ast.unparse(n.value)
                for n in ast.walk(before)
                if isinstance(n, ast.Attribute) and n.attr == "device" and ast.unparse(n.value) != "self"
            ),
        }
        if (
            isinstance(after, ast.FunctionDef)
            and after.args.args
            and after.args.args[0].arg == "self"
            and _is_method(tree, after)
        ):
            self.placed |= {a.arg for a in after.args.args[1:]}
        self.placed -= set(self.lost)
        for statement in ast.walk(after):
            if isinstance(statement, ast.Assign):
                self._bind(statement.targets, statement.value)
            elif isinstance(statement, ast.For):
                self._bind([n for n in ast.walk(statement.target) if isinstance(n, ast.Name)], statement.iter)

    def _bind(self, targets: list[ast.expr], value: ast.expr) -> None:
        names = {ast.unparse(t): t.lineno for t in targets if isinstance(t, ast.Name)}
        if self._holds(value, set(self.lost)):
            self.lost |= {name: line for name, line in names.items() if name not in self.placed}
        elif self._holds(value, self.placed):
            self.placed |= set(names) - set(self.lost)

    @staticmethod
    def _holds(expr: ast.AST, names: set[str]) -> bool:
        """Whether the tensor that an expression gives comes of one of the names."""
        if isinstance(expr, (ast.Name, ast.Attribute)) and ast.unparse(expr) in names:
            return True
        if isinstance(expr, ast.Attribute) and expr.attr in _LEAVES:
            return False
        if isinstance(expr, ast.Subscript):
            return _Function._holds(expr.value, names)  # an index may lie on the CPU
        if isinstance(expr, ast.Call):
            called = ast.unparse(expr.func).rpartition(".")[2]
            if called in _LEAVES:
                return False
        return any(_Function._holds(child, names) for child in ast.iter_child_nodes(expr))

    def meets(self) -> bool:
        """Whether something that is not moved any more stands together with what is on the device."""
        lost = set(self.lost)
        for node in ast.walk(self.after):
            if isinstance(node, ast.Call):
                operands: list[ast.expr] = [*node.args, *(k.value for k in node.keywords)]
                called = ast.unparse(node.func)
                fed = any(self._holds(o, lost) for o in operands)
                if fed and called in self.modules:
                    return True
                if (
                    isinstance(node.func, ast.Attribute)
                    and node.func.attr == "numpy"
                    and self._holds(node.func.value, self.placed)
                ):
                    return True
                if not _TORCH.match(called):
                    continue
                operands = [
                    part for o in operands for part in (o.elts if isinstance(o, (ast.List, ast.Tuple)) else [o])
                ]
            elif isinstance(node, ast.BinOp):
                operands = [node.left, node.right]
            elif isinstance(node, ast.Compare):
                operands = [node.left, *node.comparators]
            else:
                continue
            apart = [o for o in operands if self._holds(o, lost)]
            if apart and any(self._holds(o, self.placed) for o in operands if o not in apart):
                return True
        return False


def _is_method(tree: ast.Module, function: ast.FunctionDef) -> bool:
    return any(
        isinstance(c, ast.ClassDef) and function in c.body and any("Module" in ast.unparse(b) for b in c.bases)
        for c in ast.walk(tree)
    )


def _moved(tree: ast.AST) -> dict[str, int]:
    """The names that a function binds to what is moved or made on a device, with their lines."""
    found: dict[str, int] = {}
    for node in ast.walk(tree):
        if not isinstance(node, ast.Assign):
            continue
        target, value = node.targets[0], node.value
        pairs = [(target, value)]
        if isinstance(target, ast.Tuple) and isinstance(value, ast.Tuple):
            pairs = list(zip(target.elts, value.elts, strict=False))
        for name, part in pairs:
            if any(
                is_move(n)
                or (
                    isinstance(n, ast.Call)
                    and (any(k.arg == "device" for k in n.keywords) or ast.unparse(n.func).endswith(".type_as"))
                )
                for n in ast.walk(part)
            ):
                found[ast.unparse(name)] = node.lineno
    return found
