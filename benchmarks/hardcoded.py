"""Where a program says CUDA outright, read with nothing but ast: the judge of `portability.py`.

It shares no code with placefix, so that a spot which the tool does not see still counts. It is
crude where crude is strict: guarded calls count, and so does what CUDA is right for.
"""

from __future__ import annotations

import ast
import builtins
import re
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator

_LITERAL = re.compile(r"cuda(:\d+)?$")
_QUESTION = re.compile(r"cuda|gpu|device|is_available|accelerator", re.IGNORECASE)
_TENSOR_TYPE = re.compile(r"torch\.cuda\.\w*Tensor$")
# They raise where there is no CUDA; the other functions of torch.cuda answer there.
_RAISES = frozenset(
    ("synchronize", "set_device", "current_device", "get_device_name", "get_device_properties", "get_device_capability")
)
_TAKES_DEVICE = frozenset(("to", "device", "load", "Generator", "to_empty"))


class Spot(NamedTuple):
    """One hard-coded use: what it is, its rows (1-based, inclusive), and those of the tests that decide whether it runs."""

    what: str
    first: int
    last: int
    tests: tuple[tuple[int, int], ...]


def spots(tree: ast.Module) -> list[Spot]:
    """The hard-coded uses of CUDA in a program.

    `.cuda()` on anything but a module path; "cuda" and "cuda:0" as a device; tensor types of
    CUDA; calls that raise without CUDA. Inside a conditional expression that asks, and in a
    comparison, a device or a type is a choice and no spot, and so is a device that is bound
    or returned in an `if` that asks, or whose other arm is the CPU, or returned behind one that asks; a `.cuda()` is one everywhere.
    """
    modules = {
        alias.asname or alias.name.partition(".")[0]
        for node in ast.walk(tree)
        if isinstance(node, (ast.Import, ast.ImportFrom))
        for alias in node.names
        if alias.name[:1].islower()
    }
    parents = {child: node for node in ast.walk(tree) for child in ast.iter_child_nodes(node)}
    found = []
    for node in ast.walk(tree):
        what = _what(node, parents)
        if what == "call" and _of_module(node, modules):
            continue
        if what:
            tests = tuple(_tests(node, parents))
            asked = any(asks for _, _, asks in tests)
            if what == "raises" and (asked or _asked_beside(node, parents)):
                continue
            if what in ("literal", "type") and any(asks for *_, asks in _tests(node, parents, ast.IfExp)):
                continue
            asked = asked or (what == "literal" and _has_other_arm(node, parents))
            if what == "literal" and ((asked and _chosen(node, parents)) or _compared(node, parents)):
                continue
            assert isinstance(node, ast.expr)
            rows = tuple((first, last) for first, last, _ in tests)
            found.append(Spot(what, node.lineno, node.end_lineno or node.lineno, rows))
    return found


def _what(node: ast.AST, parents: dict[ast.AST, ast.AST]) -> str:
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
        path = ast.unparse(node.func)
        if node.func.attr == "cuda" and path not in ("torch.cuda", "numba.cuda", "super().cuda"):
            return "call"
        if path.startswith("torch.cuda.") and path.rpartition(".")[2] in _RAISES:
            return "raises"
    if isinstance(node, ast.Attribute) and _TENSOR_TYPE.match(ast.unparse(node)):
        return "type" if not _compared(node, parents) else ""
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        if _TENSOR_TYPE.match(node.value) and not _compared(node, parents):
            return "type"
        if _LITERAL.match(node.value) and _is_device(node, parents):
            return "literal"
    return ""


def _is_device(node: ast.Constant, parents: dict[ast.AST, ast.AST]) -> bool:
    """Whether a string stands where a device does: an argument, or the value a name gets."""
    parent = parents[node]
    if isinstance(parent, ast.keyword):
        return parent.arg in ("device", "map_location") and "add_argument" not in ast.unparse(parents[parent])[:80]
    if isinstance(parent, ast.Call) and node in parent.args[:2]:
        name = parent.func.attr if isinstance(parent.func, ast.Attribute) else getattr(parent.func, "id", "")
        return name in _TAKES_DEVICE
    return isinstance(parent, (ast.Assign, ast.AnnAssign)) and parent.value is node


def _of_module(node: ast.AST, modules: set[str]) -> bool:
    """Whether it calls a function named `cuda` of a module: `utils.cuda(batch)`, with what it moves as an argument."""
    assert isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute)
    return bool(node.args) and isinstance(node.func.value, ast.Name) and node.func.value.id in modules


def _asked_beside(node: ast.AST, parents: dict[ast.AST, ast.AST]) -> bool:
    """Whether it stands behind a question: ``use_cuda and torch.cuda.get_device_capability()``."""
    while isinstance(node, ast.expr):
        node, child = parents[node], node
        if isinstance(node, ast.BoolOp) and isinstance(node.op, ast.And) and child is not node.values[0]:
            return bool(_QUESTION.search(ast.unparse(node.values[0])))
    return False


def _has_other_arm(node: ast.AST, parents: dict[ast.AST, ast.AST]) -> bool:
    """Whether it is returned behind a question that returns something else (``if not cuda: return cpu``), or bound in an arm
    of an ``if`` whose other arm binds "cpu"."""
    while not isinstance(node, ast.stmt):
        node = parents[node]
    owner = parents[node]
    if isinstance(node, ast.Assign) and isinstance(owner, ast.If):
        other = owner.orelse if node in owner.body else owner.body
        target = ast.unparse(node.targets[0])
        return any(ast.unparse(s) in (f"{target} = 'cpu'", f"{target} = torch.device('cpu')") for s in other)
    body = getattr(owner, "body", [])
    above = body[: body.index(node)] if isinstance(node, ast.Return) and node in body else []
    return any(
        isinstance(s, ast.If) and isinstance(s.body[-1], ast.Return) and _QUESTION.search(ast.unparse(s.test))
        for s in above
    )


def _chosen(node: ast.AST, parents: dict[ast.AST, ast.AST]) -> bool:
    """Whether a device is only named here: bound or returned, in an arm of a choice."""
    while isinstance(parents[node], ast.Call):
        node = parents[node]
        if ast.unparse(node.func) != "torch.device":  # type: ignore[attr-defined]
            return False
    return isinstance(parents[node], (ast.Assign, ast.AnnAssign, ast.Return))


def _compared(node: ast.AST, parents: dict[ast.AST, ast.AST]) -> bool:
    while isinstance(node, ast.expr):
        node = parents[node]
        if isinstance(node, ast.Compare) or (isinstance(node, ast.Call) and ast.unparse(node.func) == "isinstance"):
            return True
    return False


def _tests(
    node: ast.AST, parents: dict[ast.AST, ast.AST], kinds: type | tuple[type, ...] = (ast.If, ast.IfExp, ast.While)
) -> Iterator[tuple[int, int, bool]]:
    """(first row, last row, whether it asks about devices) of every test around a node."""
    while node in parents:
        child, node = node, parents[node]
        if isinstance(node, kinds) and child is not node.test:  # type: ignore[attr-defined]
            test = node.test  # type: ignore[attr-defined]
            yield min(node.lineno, test.lineno), test.end_lineno, bool(_QUESTION.search(ast.unparse(test)))  # type: ignore[attr-defined]


def undefined(tree: ast.Module) -> set[tuple[str, str]]:
    """(scope, name) that a program reads where nothing, or only something further down, binds it.

    The order is that of the lines, inside one scope; what comes from `import *` is defined.
    """
    found: set[tuple[str, str]] = set()
    if any(isinstance(n, ast.ImportFrom) and n.names[0].name == "*" for n in ast.walk(tree)):
        return found
    _Names(found, dir(builtins)).scope(tree, "", [])
    return found


_SCOPES = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda, ast.ClassDef)
_COMPREHENSIONS = (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)


class _Names:
    def __init__(self, found: set[tuple[str, str]], known: list[str]) -> None:
        self.found = found
        self.known = {*known, "__file__", "__name__", "__doc__", "__class__", "__path__", "__spec__", "__package__"}

    def scope(self, node: ast.AST, name: str, around: list[dict[str, int]]) -> None:
        own: dict[str, int] = {}
        inner: list[ast.AST] = []
        loads: list[tuple[str, int]] = []
        outer: set[str] = set()
        arguments = getattr(node, "args", None)
        if isinstance(arguments, ast.arguments):
            for argument in ast.walk(arguments):
                if isinstance(argument, ast.arg):
                    own[argument.arg] = 0
        body = node.body if isinstance(node.body, list) else [node.body]  # type: ignore[attr-defined]
        pending: list[ast.AST] = list(body)
        while pending:
            part = pending.pop()
            if isinstance(part, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
                own[part.name] = min(own.get(part.name, part.lineno), part.lineno)
                pending += part.decorator_list
            if isinstance(part, _SCOPES):
                inner.append(part)
                arguments = getattr(part, "args", None)
                if isinstance(arguments, ast.arguments):
                    pending += [*arguments.defaults, *(d for d in arguments.kw_defaults if d is not None)]
                pending += getattr(part, "bases", [])
                continue
            if isinstance(part, _COMPREHENSIONS):
                for generator in part.generators:  # their names are taken for the scope's: lenient
                    own.update({n.id: 0 for n in ast.walk(generator.target) if isinstance(n, ast.Name)})
            for bound, row in _bound(part):
                own[bound] = min(own.get(bound, row), row)
            if isinstance(part, (ast.Global, ast.Nonlocal)):
                outer.update(part.names)
            elif isinstance(part, ast.Name) and isinstance(part.ctx, ast.Load):
                loads.append((part.id, part.lineno))
            pending += ast.iter_child_nodes(part)
        if outer and around:
            around[0].update(dict.fromkeys(outer, 0))
        for read, row in loads:
            if read in own and read not in outer:
                if own[read] > row and not any(read in names for names in around):
                    self.found.add((name, read))
            elif read not in self.known and not any(read in names for names in around):
                self.found.add((name, read))
        visible = around if isinstance(node, ast.ClassDef) else [*around, own]
        for part in inner:
            self.scope(part, f"{name}.{getattr(part, 'name', 'lambda')}", visible)


def _bound(part: ast.AST) -> Iterator[tuple[str, int]]:
    if isinstance(part, ast.Name) and not isinstance(part.ctx, ast.Load):
        yield part.id, part.lineno
    elif isinstance(part, (ast.Import, ast.ImportFrom)):
        for alias in part.names:
            yield alias.asname or alias.name.partition(".")[0], part.lineno
    elif isinstance(part, ast.ExceptHandler) and part.name:
        yield part.name, part.lineno
    elif isinstance(part, (ast.MatchAs, ast.MatchStar)) and part.name:
        yield part.name, 0
