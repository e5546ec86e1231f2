"""Placement bugs, injected one at a time into the text of a correct script."""

from __future__ import annotations

import ast
import re
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator

INPUT = "input or target move deleted"
DISCARDED = "move discarded"
WRAP = "wrap and place swapped"
OPTIMIZER = "optimizer hoisted"
CUDA = "CUDA hard-coded"
FORWARD = "device dropped in forward"
TENSOR = "device dropped from a tensor"
WEIGHT = "loss weight unplaced"
NUMPY = ".cpu() before numpy dropped"
MODULE = "module never placed"
LENGTHS = "lengths moved"
BUFFER = "buffer not registered"
CONTAINER = "modules in a plain container"
LOAD = "map_location dropped"
BUILDER = "optimizer built too early by a helper"

INJECTED = (INPUT, DISCARDED, WRAP, OPTIMIZER, CUDA, FORWARD, TENSOR, WEIGHT, NUMPY)
BEYOND = (MODULE, LENGTHS)
STRUCTURAL = (BUFFER, CONTAINER, LOAD, BUILDER)
ORDERED = (WRAP, OPTIMIZER, BUILDER)
DELETED = (INPUT, DISCARDED, FORWARD, TENSOR, NUMPY, MODULE, LENGTHS)  # bugs only if the move was needed

FACTORIES = {"zeros", "ones", "full", "arange", "eye", "tensor", "empty", "rand", "randn", "linspace", "randint"}
_LOSSES = {
    "CrossEntropyLoss": "weight", "NLLLoss": "weight", "cross_entropy": "weight", "nll_loss": "weight",
    "BCEWithLogitsLoss": "pos_weight", "binary_cross_entropy_with_logits": "pos_weight",
}  # fmt: skip


class Mutant(NamedTuple):
    """A script with one bug. base: the correct text, where that is not the script itself. fair: that it is the bug
    that its kind says; others are made, so that the draw of those of members stays the same, and not judged."""

    kind: str
    line: int
    text: str
    base: str = ""
    fair: bool = True


class Text:
    """A program's text, edited by positions in its tree."""

    def __init__(self, text: str) -> None:
        self.bytes = text.encode()
        self.starts = [0]
        for line in self.bytes.splitlines(keepends=True):
            self.starts.append(self.starts[-1] + len(line))

    def span(self, node: ast.AST) -> tuple[int, int]:
        """The byte offsets of a node."""
        begin = self.starts[node.lineno - 1] + node.col_offset  # type: ignore[attr-defined]
        end = self.starts[node.end_lineno - 1] + node.end_col_offset  # type: ignore[attr-defined]
        return begin, end

    def cut(self, node: ast.AST) -> str:
        """The text of a node."""
        begin, end = self.span(node)
        return self.bytes[begin:end].decode()

    def replaced(self, *edits: tuple[ast.AST, str]) -> str:
        """The text with nodes replaced."""
        out = self.bytes
        for node, new in sorted(edits, key=lambda edit: -self.span(edit[0])[0]):
            begin, end = self.span(node)
            out = out[:begin] + new.encode() + out[end:]
        return out.decode()


def last_name(call: ast.Call) -> str:
    """``randn`` of ``torch.randn(3)``."""
    return ast.unparse(call.func).rpartition(".")[2]


def is_move(node: ast.AST) -> bool:
    """Whether a call is `.to(device)` or `.cuda()` by the looks of it."""
    if not (isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute)):
        return False
    if node.func.attr == "cuda":
        return True
    if node.func.attr != "to" or not node.args:
        return False
    words = ast.unparse(node.args[0]).lower()
    return "dev" in words or "cuda" in words or "gpu" in words


def is_module(receiver: ast.expr, text: str) -> bool:
    """Whether what is moved is a module by the looks of it: it is called, or has parameters."""
    name = ast.unparse(receiver)
    if isinstance(receiver, ast.Call):
        called = last_name(receiver)
        return called[:1].isupper() or called.startswith(("build", "make_model", "get_model"))
    return f"{name}(" in text or f"{name}.parameters()" in text or f"{name}.module" in text


def mutants(text: str) -> Iterator[Mutant]:
    """All mutants of a script that are programs, in the order of its tree; weighted losses apart."""
    return (mutant for mutant in _mutants(text) if _parses(mutant.text))


def _mutants(text: str) -> Iterator[Mutant]:
    tree, source = ast.parse(text), Text(text)
    inside = _in_modules(tree)
    copied = {n.value for n in ast.walk(tree) if isinstance(n, ast.DictComp)}  # see _dict_not_moved
    to_host = set(_moves_to_host(tree))
    for node in ast.walk(tree):
        if isinstance(node, ast.Call):
            for mutant in _of_call(node, source, text, copied, in_module=node in inside):
                yield mutant._replace(fair=mutant.kind != CUDA or node not in to_host)
        if isinstance(node, ast.Assign):
            yield from _dict_not_moved(node, source)
            yield from _discarded(node, source)
            yield from _hard_coded(node, source)
        for body in (getattr(node, "body", None), getattr(node, "orelse", None)):
            if isinstance(body, list):
                yield from _swaps(body, source)


def _in_modules(tree: ast.Module) -> set[ast.AST]:
    """Everything that runs in a forward: what stands in a method of a module but its constructor."""
    found: set[ast.AST] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.ClassDef) and any("Module" in ast.unparse(b) for b in node.bases):
            for method in node.body:
                if isinstance(method, ast.FunctionDef) and method.name != "__init__":
                    found |= set(ast.walk(method))
    return found


def _moves_to_host(tree: ast.Module) -> Iterator[ast.Call]:
    """Moves to what the block itself has bound to the CPU: ``device = "cpu"`` above ``model.to(device)``. There
    ``.cuda()`` would not say the same device in other words, but another one."""
    for owner in ast.walk(tree):
        for body in (getattr(owner, "body", None), getattr(owner, "orelse", None)):
            host: set[str] = set()
            for statement in body if isinstance(body, list) else ():
                moves = (n for n in ast.walk(statement) if isinstance(n, ast.Call) and is_move(n))
                yield from (n for n in moves if n.args and ast.unparse(n.args[0]) in host)
                if isinstance(statement, ast.Assign):
                    bound = {ast.unparse(t) for t in statement.targets}
                    host = (
                        host | bound
                        if ast.unparse(statement.value) in ("'cpu'", "torch.device('cpu')")
                        else host - bound
                    )


def _deleted(move: ast.Call, receiver: ast.expr, source: Text) -> str:
    """What stays of a move that was forgotten: what is moved, and the type that it is given in the same call."""
    kept = [source.cut(a) for a in move.args[1:2]] if last_name(move) == "to" else []
    kept += [f"{k.arg}={source.cut(k.value)}" for k in move.keywords if k.arg in ("dtype", "memory_format")]
    kept = [k for k in kept if k not in ("True", "False")]
    return source.cut(receiver) + (f".to({', '.join(kept)})" if kept else "")


def _of_call(node: ast.Call, source: Text, text: str, copied: set[ast.expr], *, in_module: bool) -> Iterator[Mutant]:
    line = node.lineno
    if is_move(node) and isinstance(node.func, ast.Attribute) and node not in copied:
        receiver = node.func.value
        made = isinstance(receiver, ast.Call) and last_name(receiver) in FACTORIES
        kind = FORWARD if in_module else TENSOR if made else MODULE if is_module(receiver, text) else INPUT
        yield Mutant(kind, line, source.replaced((node, _deleted(node, receiver, source))))
        if node.func.attr == "to" and len(node.args) == 1 and not node.keywords:
            yield Mutant(CUDA, line, source.replaced((node, source.cut(receiver) + ".cuda()")))
    if isinstance(node.func, ast.Attribute) and node.func.attr == "numpy":
        for inner in _chain(node.func.value):
            if inner.func.attr == "cpu":  # type: ignore[attr-defined]
                yield Mutant(NUMPY, line, source.replaced((inner, source.cut(inner.func.value))))  # type: ignore[attr-defined]
    if last_name(node) in FACTORIES:
        for keyword in node.keywords:
            if keyword.arg == "device":
                kept = [source.cut(a) for a in node.args]
                kept += [f"{k.arg}={source.cut(k.value)}" for k in node.keywords if k is not keyword]
                yield Mutant(
                    FORWARD if in_module else TENSOR,
                    line,
                    source.replaced((node, f"{source.cut(node.func)}({', '.join(kept)})")),
                )
                if not isinstance(keyword.value, ast.Constant):
                    yield Mutant(CUDA, line, source.replaced((keyword.value, '"cuda"')))
    if last_name(node) == "pack_padded_sequence" and len(node.args) > 1:
        lengths = source.cut(node.args[1]).removesuffix(".cpu()")
        device = _devices(text)
        if device:
            yield Mutant(LENGTHS, line, source.replaced((node.args[1], f"{lengths}.to({device[0]})")))


def _chain(node: ast.expr) -> Iterator[ast.Call]:
    """The calls of ``x.detach().cpu()``, the last first."""
    while isinstance(node, (ast.Call, ast.Attribute)):
        if isinstance(node, ast.Call):
            if not isinstance(node.func, ast.Attribute):
                return
            yield node
            node = node.func.value
        else:
            node = node.value


def _dict_not_moved(node: ast.Assign, source: Text) -> Iterator[Mutant]:
    """``b = {k: v.to(d) for k, v in b.items()}`` goes whole."""
    value = node.value
    if isinstance(value, ast.DictComp) and is_move(value.value):
        name = ast.unparse(node.targets[0])
        moved = value.value.func.value  # type: ignore[attr-defined]
        if ast.unparse(value.generators[0].iter) == f"{name}.items()" and isinstance(moved, ast.Name):
            yield Mutant(INPUT, node.lineno, source.replaced((node, "pass")))
            yield Mutant(CUDA, node.lineno, source.replaced((value.value, source.cut(moved) + ".cuda()")))


def _discarded(node: ast.Assign, source: Text) -> Iterator[Mutant]:
    if (
        len(node.targets) == 1
        and isinstance(node.value, ast.Call)
        and is_move(node.value)
        and isinstance(node.value.func, ast.Attribute)
        and ast.unparse(node.targets[0]) == ast.unparse(node.value.func.value)
    ):
        yield Mutant(DISCARDED, node.lineno, source.replaced((node, source.cut(node.value))))


def _hard_coded(node: ast.Assign, source: Text) -> Iterator[Mutant]:
    """``device = torch.device("cuda" if torch.cuda.is_available() else "cpu")`` says CUDA outright."""
    for part in ast.walk(node.value):
        if (
            isinstance(part, ast.IfExp)
            and isinstance(part.body, ast.Constant)
            and part.body.value in ("cuda", "cuda:0")
            and isinstance(part.orelse, ast.Constant)
            and part.orelse.value == "cpu"
        ):
            yield Mutant(CUDA, node.lineno, source.replaced((part, source.cut(part.body))))


def _swaps(body: list[ast.stmt], source: Text) -> Iterator[Mutant]:
    """The placement, and the wrap or the optimizer after it, the other way round."""
    for first, place in enumerate(body):
        if not isinstance(place, (ast.Assign, ast.Expr)) or not is_move(place.value):
            continue
        value = place.value
        assert isinstance(value, ast.Call) and isinstance(value.func, ast.Attribute)
        name, split = ast.unparse(value.func.value), ""
        if isinstance(place, ast.Assign) and ast.unparse(place.targets[0]) != name:
            # model = Net().to(device): made here, placed below
            name = ast.unparse(place.targets[0])
            split = f"{name} = {source.cut(value.func.value)}"
        moved = (
            f"{name} = {name}.{source.cut(value)[len(source.cut(value.func.value)) + 1 :]}"
            if split
            else source.cut(place)
        )
        for later in body[first + 1 :]:
            words = ast.unparse(later)
            if not (isinstance(later, ast.Assign) and isinstance(later.value, ast.Call)):
                if _mentions(name, words):
                    break
                continue
            called = ast.unparse(later.value.func)
            if "optim" in called.lower() and f"{name}.parameters()" in words:
                kind = OPTIMIZER
            elif "Parallel" in called or called == "DDP":
                kind = WRAP
            elif _mentions(name, words):
                break
            else:
                continue
            if kind == OPTIMIZER or _mentions(name, words):
                if not split and _binds_for(body[first + 1 : body.index(later)], later):
                    text = source.cut(place)  # what it is made of is not there yet: the placement goes down, instead
                    yield Mutant(
                        kind,
                        later.lineno,
                        source.replaced(
                            (place, "pass"), (later, f"{source.cut(later)}\n{' ' * later.col_offset}{text}")
                        ),
                    )
                    break
                indent = " " * later.col_offset
                one = (place, split or source.cut(later))
                two = (later, f"{source.cut(later)}\n{indent}{moved}" if split else moved)
                yield Mutant(kind, later.lineno, source.replaced(one, two))
            break


def _binds_for(between: list[ast.stmt], later: ast.stmt) -> bool:
    """Whether statements bind a name that a later one reads."""
    read = {n.id for n in ast.walk(later) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Load)}
    return any(
        isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store) and n.id in read for s in between for n in ast.walk(s)
    )


def _mentions(name: str, words: str) -> bool:
    return re.search(rf"(?<![\w.]){re.escape(name)}(?!\w)", words) is not None


def _devices(text: str) -> list[str]:
    """The device expressions a script moves to, the usual one first."""
    found = re.findall(r"\.to\(([\w.]+)[,)]", text)
    return sorted({f for f in found if "dev" in f.lower()}, key=lambda f: (-found.count(f), f))


def weighted(text: str) -> Iterator[list[Mutant]]:
    """For each loss without a weight: the script with one that is placed, against the same with one that
    is not; several forms of it, for class counts among the script's numbers. The first whose base runs counts."""
    tree, source = ast.parse(text), Text(text)
    devices = _devices(text)
    if not devices or "import torch\n" not in text:
        return
    numbers = sorted(
        {
            n.value
            for n in ast.walk(tree)
            if isinstance(n, ast.Constant) and type(n.value) is int and 1 < n.value <= 1000
        }
    )
    for statement in ast.walk(tree):
        if not isinstance(statement, (ast.Assign, ast.Expr, ast.AugAssign, ast.Return)) or statement.value is None:
            continue
        for call in ast.walk(statement.value):
            name = last_name(call) if isinstance(call, ast.Call) else ""
            if (
                isinstance(call, ast.Call)
                and name in _LOSSES
                and not any(k.arg in ("weight", "pos_weight") for k in call.keywords)
            ):
                moved = [n for n in ast.walk(statement) if is_move(n) and n.func.value is call]  # type: ignore[attr-defined]
                for named in (False, True):
                    found = [_weighted(source, statement, call, moved[0] if moved else call, count, devices[0], named=named)
                             for count in ([1] if _LOSSES[name] == "pos_weight" else numbers[:12])]  # fmt: skip
                    yield [m for m in found if _parses(m.text) and _parses(m.base)]  # not behind a semicolon


def _parses(text: str) -> bool:
    try:
        ast.parse(text)
    except SyntaxError:
        return False
    return True


def _weighted(
    source: Text, statement: ast.stmt, call: ast.Call, whole: ast.AST, count: int, device: str, *, named: bool
) -> Mutant:
    name = last_name(call)
    values = f"torch.linspace(0.5, 1.5, {count})"
    given = ", ".join(
        filter(None, [*map(source.cut, call.args), *(f"{k.arg}={source.cut(k.value)}" for k in call.keywords)])
    )

    def text(weight: str, move: str = "") -> str:
        new = f"{source.cut(call.func)}({given + ', ' if given else ''}{_LOSSES[name]}={weight}){move}"
        begin, end = (offset - source.span(statement)[0] for offset in source.span(whole))
        old = source.cut(statement).encode()
        line = (old[:begin] + new.encode() + old[end:]).decode()
        head = f"class_weights = {values}\n{' ' * statement.col_offset}" if named else ""
        return source.replaced((statement, head + line))

    if named:
        return Mutant(WEIGHT, call.lineno, text("class_weights"), text(f"class_weights.to({device})"))
    if name[0].isupper():
        return Mutant(WEIGHT, call.lineno, text(values), text(values, f".to({device})"))
    return Mutant(WEIGHT, call.lineno, text(values), text(f"{values}.to({device})"))


def structural_mutants(text: str) -> Iterator[Mutant]:
    """The mutants of classes, checkpoints and helpers that `mutants` does not make, in the order of the tree."""
    return (mutant for mutant in _structural_mutants(text) if _parses(mutant.text))


def _structural_mutants(text: str) -> Iterator[Mutant]:
    tree, source = ast.parse(text), Text(text)
    for owner in ast.walk(tree):
        if isinstance(owner, ast.ClassDef):
            yield from _unregistered(owner, source)
        if isinstance(owner, ast.Call) and ast.unparse(owner.func) == "torch.load" and len(owner.args) == 1:
            kept = [f"{k.arg}={source.cut(k.value)}" for k in owner.keywords if k.arg != "map_location"]
            if len(kept) < len(owner.keywords):
                call = f"torch.load({', '.join([source.cut(owner.args[0]), *kept])})"
                yield Mutant(LOAD, owner.lineno, source.replaced((owner, call)))
        for body in (getattr(owner, "body", None), getattr(owner, "orelse", None)):
            if isinstance(body, list):
                yield from _built_too_early(body, source)


def _unregistered(owner: ast.ClassDef, source: Text) -> Iterator[Mutant]:
    """Buffers that become attributes, and lists of modules that become plain ones, where another method uses them."""
    methods = [n for n in owner.body if isinstance(n, ast.FunctionDef)]
    for method in methods:
        used = {
            n.attr
            for other in methods
            if other is not method
            for n in ast.walk(other)
            if isinstance(n, ast.Attribute) and ast.unparse(n.value) == "self"
        }
        for node in ast.walk(method):
            call = node.value if isinstance(node, (ast.Expr, ast.Assign)) else None
            if not isinstance(call, ast.Call) or not call.args:
                continue
            called = ast.unparse(call.func)
            first = call.args[0]
            if isinstance(node, ast.Expr) and called == "self.register_buffer" and len(call.args) > 1:
                value = call.args[1]
                if isinstance(first, ast.Constant) and first.value in used and not _is_scalar(value):
                    yield Mutant(
                        BUFFER, node.lineno, source.replaced((node, f"self.{first.value} = {source.cut(value)}"))
                    )
            elif isinstance(node, ast.Assign) and called.rpartition(".")[2] in ("ModuleList", "ModuleDict"):
                target = ast.unparse(node.targets[0])
                if target.startswith("self.") and target[5:] in used and len(call.args) == 1:
                    plain = ast.unparse(first) if isinstance(first, ast.GeneratorExp) else source.cut(first)
                    plain = f"list{plain}" if isinstance(first, ast.GeneratorExp) else plain
                    yield Mutant(CONTAINER, node.lineno, source.replaced((call, plain)))


def _is_scalar(value: ast.expr) -> bool:
    """Whether a buffer has no dimension, ``torch.tensor(0.0)``, or is None: then it may lie anywhere."""
    inner = value.args[0] if isinstance(value, ast.Call) and last_name(value) == "tensor" and value.args else value
    return isinstance(inner, ast.Constant)


def _built_too_early(body: list[ast.stmt], source: Text) -> Iterator[Mutant]:
    """A placement and the call below it that builds an optimizer, or wraps, in a helper: the other way round."""
    for first, place in enumerate(body):
        value = getattr(place, "value", None)
        if not isinstance(place, (ast.Assign, ast.Expr)) or value is None or not is_move(value):
            continue
        assert isinstance(value, ast.Call) and isinstance(value.func, ast.Attribute)
        name = ast.unparse(value.func.value)
        if isinstance(place, ast.Assign) and ast.unparse(place.targets[0]) != name:
            continue
        for later in body[first + 1 :]:
            made = getattr(later, "value", None)
            if not _mentions(name, ast.unparse(later)):
                continue
            if isinstance(later, (ast.Assign, ast.Expr)) and isinstance(made, ast.Call):
                called, given = (
                    ast.unparse(made.func),
                    [ast.unparse(a) for a in [*made.args, *(k.value for k in made.keywords)]],
                )
                helps = "optim" in called.lower() and not called.startswith(("torch.optim.", "optim."))
                if helps and name in given:
                    edits = (
                        (place, "pass"),
                        (later, f"{source.cut(later)}\n{' ' * later.col_offset}{source.cut(place)}"),
                    )
                    yield Mutant(BUILDER, later.lineno, source.replaced(*edits))
            break
