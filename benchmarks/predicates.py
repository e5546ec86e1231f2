"""What can be said of a repair without running it: nothing but placement changed, and the moves are back."""

from __future__ import annotations

import ast
from collections import Counter

from mutators import is_move


def _is_placing(node: ast.AST) -> bool:
    cpu = isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "cpu"
    return is_move(node) or (cpu and not node.args)  # type: ignore[attr-defined]


class _Erased(ast.NodeTransformer):
    """The program without placement: moves, device=, map_location= and definitions of devices gone."""

    def visit_Call(self, node: ast.Call) -> ast.AST:
        self.generic_visit(node)
        node.keywords = [k for k in node.keywords if k.arg not in ("device", "map_location")]
        return node.func.value if _is_placing(node) else node  # type: ignore[attr-defined]

    def visit_Assign(self, node: ast.Assign) -> ast.AST | None:
        target = ast.unparse(node.targets[0])
        if target.rpartition(".")[2].lower() in ("device", "dev") and len(node.targets) == 1:
            return None
        self.generic_visit(node)
        same = ast.unparse(node.value) == target
        copied = (
            isinstance(node.value, ast.DictComp) and ast.unparse(node.value.generators[0].iter) == f"{target}.items()"
        )
        return None if len(node.targets) == 1 and (same or copied) else node

    def visit_Expr(self, node: ast.Expr) -> ast.AST | None:
        self.generic_visit(node)
        parts = node.value.elts if isinstance(node.value, ast.Tuple) else [node.value]
        return None if all(isinstance(p, (ast.Name, ast.Attribute, ast.Subscript)) for p in parts) else node

    def visit_IfExp(self, node: ast.IfExp) -> ast.AST:
        self.generic_visit(node)
        return node.body if ast.dump(node.body) == ast.dump(node.orelse) else node  # ``x.cuda() if gpu else x``

    def visit_Import(self, node: ast.Import) -> ast.AST | None:
        return None if ast.unparse(node) == "import torch" else node  # a device needs it

    def visit_Pass(self, node: ast.Pass) -> None:
        """Stands where a statement was deleted, too."""

    def visit_If(self, node: ast.If) -> ast.AST | None:
        self.generic_visit(node)
        return node if node.body or node.orelse else None


def erased(text: str) -> ast.Module:
    """The tree of a program without its placement."""
    tree = _Erased().visit(ast.parse(text))
    assert isinstance(tree, ast.Module)
    return tree


def changes_placement_alone(mutant: str, fixed: str, correct: str) -> bool:
    """Whether the repair of a mutant differs from it in placement alone, in the order of statements apart, and in what
    the repair of the original (`correct`) changes, too."""
    had, kept, wanted = (_statements(erased(text)) for text in (mutant, fixed, correct))
    return not (kept - wanted) - had and not (wanted - kept) & had


def _statements(tree: ast.Module) -> Counter[str]:
    return Counter(_head(node) for node in ast.walk(tree) if isinstance(node, ast.stmt))


def _head(node: ast.stmt) -> str:
    """A statement without the statements in it."""
    return f"{type(node).__name__} " + " ".join(
        ast.dump(value) if isinstance(value, ast.AST) else repr(value)
        for name, value in ast.iter_fields(node)
        if name not in ("body", "orelse", "finalbody", "handlers", "cases")
        and not (isinstance(value, list) and not value)
        for value in (value if isinstance(value, list) else [value])
    )


def restored(base: str, fixed: str) -> bool:
    """Whether every move of the correct program is there again, up to its spelling, at a place that
    nothing which uses the moved thing comes before."""
    wanted, found = _moves(base), _moves(fixed)
    for key, place in wanted.items():
        if key not in found:
            return False
        if found[key] > place:
            return False
    return True


def _moves(text: str) -> dict[tuple[str, str], int]:
    """(scope, what is moved) of every move: how many statements that use it come before the first one. One that
    binds it anew does not use it. A statement that is only a move, as of modules, counts apart: the name moves nothing else."""
    tree = ast.parse(text)
    result: dict[tuple[str, str], int] = {}
    for scope, node in _scopes(tree):
        seen: list[str] = []
        for statement in _own_statements(node):
            head = [v for n, v in ast.iter_fields(statement) if n not in ("body", "orelse", "finalbody", "handlers")]
            parts = [p for v in head for p in (v if isinstance(v, list) else [v]) if isinstance(p, ast.AST)]
            bound = ast.unparse(statement.targets[0]) if isinstance(statement, ast.Assign) else ""
            values = {id(statement.value)} if isinstance(statement, ast.Assign) else set()
            pairs: dict[int, str] = {}
            if (
                isinstance(statement, ast.Assign)
                and isinstance(statement.targets[0], ast.Tuple)
                and isinstance(statement.value, ast.Tuple)
            ):
                pairs = {
                    id(v): ast.unparse(t) for t, v in zip(statement.targets[0].elts, statement.value.elts, strict=False)
                }
            for part in parts:
                for inner in ast.walk(part):
                    made = isinstance(inner, ast.Call) and any(k.arg == "device" for k in inner.keywords)
                    if not (_is_placing(inner) or made):
                        continue
                    assert isinstance(inner, ast.Call)
                    name = pairs.get(id(inner)) or (bound if id(inner) in values else _named(inner))
                    key = (scope, f"{name};" if isinstance(statement, ast.Expr) and statement.value is inner else name)
                    if key not in result:
                        result[key] = sum(name in words for words in seen)
            if isinstance(statement, ast.Assign):
                owners = [
                    t.value if isinstance(t, ast.Attribute) else t
                    for t in statement.targets
                    if not isinstance(t, ast.Name)
                ]
                parts = [*owners, statement.value]
            seen.append(
                " ".join(
                    ast.unparse(p) for p in parts if not isinstance(statement, (ast.For, ast.FunctionDef, ast.ClassDef))
                )
            )
    return result


def _named(move: ast.Call) -> str:
    """What a move moves, without the numbers that it is computed with: they lie nowhere."""
    node = _Erased().visit(ast.parse(ast.unparse(move), mode="eval")).body
    while isinstance(node, ast.BinOp):
        numbers = [
            isinstance(n.operand if isinstance(n, ast.UnaryOp) else n, ast.Constant) for n in (node.left, node.right)
        ]
        if not any(numbers):
            break
        node = node.left if numbers[1] else node.right
    return ast.unparse(node)


def _scopes(tree: ast.Module) -> list[tuple[str, ast.AST]]:
    found: list[tuple[str, ast.AST]] = [("", tree)]
    for node in ast.walk(tree):
        if isinstance(node, ast.ClassDef):
            found += [
                (f"{node.name}.{m.name}", m)
                for m in node.body
                if isinstance(m, (ast.FunctionDef, ast.AsyncFunctionDef))
            ]
        elif isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            found.append((node.name, node))
    return found


def _own_statements(node: ast.AST) -> list[ast.stmt]:
    found: list[ast.stmt] = []
    for name in ("body", "handlers", "orelse", "finalbody"):
        for child in getattr(node, name, None) or []:
            if isinstance(child, ast.stmt):
                found.append(child)
            if not isinstance(child, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
                found += _own_statements(child)
    return found


def in_order(text: str, correct: str) -> bool:
    """Whether no wrap and no optimizer stands before the placement of its module in the same block, but for what
    the correct program has as well: a second placement, after the training."""
    return _late(text) <= _late(correct)


def _late(text: str) -> int:
    """How many placements stand behind a wrap, or an optimizer, of their module in the same block."""
    return sum(
        _late_in(body)
        for node in ast.walk(ast.parse(text))
        for body in (getattr(node, "body", None), getattr(node, "orelse", None))
        if isinstance(body, list)
    )


def _is_move_of(node: object, names: set[str]) -> bool:
    """Whether a value is a move of one of `names`."""
    if not (isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute)):
        return False
    return is_move(node) and ast.unparse(node.func.value) in names


def _late_in(body: list[ast.stmt]) -> int:
    made: set[str] = set()  # what was wrapped, and whose parameters an optimizer was given
    late = 0
    for statement in body:
        value = getattr(statement, "value", None)
        if isinstance(statement, (ast.Assign, ast.Expr)) and _is_move_of(value, made):
            late += 1
        if isinstance(statement, ast.Assign) and isinstance(value, ast.Call):
            called = ast.unparse(value.func)
            if "optim" in called.lower():
                for part in ast.walk(value):
                    if isinstance(part, ast.Attribute) and part.attr == "parameters":
                        made.add(ast.unparse(part.value))
            elif "Parallel" in called or called == "DDP":
                made |= {ast.unparse(a) for a in value.args[:1]} | {ast.unparse(statement.targets[0])}
    return late
