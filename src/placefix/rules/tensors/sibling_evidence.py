"""Evidence from other lines of a function that a tensor may be on a device.

A function copies one tensor to the CPU for numpy, makes another one on the device of a third (``device=x.device``),
and passes a fourth, used together with them, to numpy without a copy: then that one may be on a device as well. On the CPU
`.cpu()` returns the same tensor, so the repair is correct even if none is on a device.
"""

from __future__ import annotations

import ast
import re
from bisect import bisect_left
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

from placefix import torch_model
from placefix.byte_patterns import word
from placefix.facts import premises
from placefix.facts.finding import Finding
from placefix.facts.interpret.class_summaries import ClassSummaries
from placefix.facts.interpret.constraint_runs import ConstraintRun, owner_of
from placefix.facts.naming import mentions_device, mentions_modules
from placefix.facts.program.ast_names import argument_values, dotted, identifier, keyword_value, parameters
from placefix.facts.program.ast_walk import header, walk
from placefix.facts.program.placing_calls import goes_to_host
from placefix.facts.program.statement_forms import yields
from placefix.facts.program.tree import dominates
from placefix.prefilter.source_patterns import NUMPY_READS_BARE, PLACES
from placefix.rules.tensors.tensor_moves import moved

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from placefix.facts.context import AnalysisContext
    from placefix.facts.program.expression_index import Index
    from placefix.facts.program.tree import Scope, Stmt

_PLACES = tuple(re.compile(places) for places in PLACES)
# Each is found several times faster than one pattern with all of them.
_ASKS = tuple(
    map(
        re.compile,
        (
            r"\.is_cuda\b",
            r"\.type\s*[!=]=",
            word("device") + r"\s*[!=]=(?!\s*(?!torch\.)[\w.]+\.device\b)",
            r"cuda\.is_available",
            word("get_device") + r"\b",
        ),
    )
)
_CHOOSES = re.compile(r"['\"] if torch\.(cuda\.is_available)\b")
READ_BARE = re.compile(NUMPY_READS_BARE)
_SHOW_PLACE = frozenset(("item", "device", "to", "cuda"))


class DeviceTests:
    """Where a file tests which device something is on. A function with such a test has code for each device."""

    def __init__(self, context: AnalysisContext) -> None:
        self._tree = context.tree
        text = context.source.text
        self._at = sorted(match.start() for asks in _ASKS for match in asks.finditer(text))
        choices = {match.start(1) for match in _CHOOSES.finditer(text)}
        self._others = [at for at in self._at if at not in choices]

    def are_in(self, scope: Scope, *, choices: bool = True) -> bool:
        """Whether the lines of a scope have one. choices: whether ``"cuda" if torch.cuda.is_available() else "cpu"`` is one."""
        start, end = self._tree.extent(scope)
        return _is_between(self._at if choices else self._others, start, end)

    def are_between(self, start: int, end: int) -> bool:
        """Whether one begins in a range of the text, in code points."""
        return _is_between(self._at, start, end)


def _is_between(places: Sequence[int], start: int, end: int) -> bool:
    """Whether one of the sorted places is in a range."""
    at = bisect_left(places, start)
    return at < len(places) and places[at] < end


class _Read(NamedTuple):
    """``x.detach().numpy()``: numpy reads a tensor `name`, `copied` to the CPU or not; `root` is the bound name in it."""

    call: ast.Call
    stmt: Stmt
    name: str
    copied: bool

    @property
    def root(self) -> str:
        """``batch`` of ``batch['x']``."""
        return self.name.partition("[")[0]


class SiblingEvidence:
    """Answers for one file."""

    def __init__(self, context: AnalysisContext) -> None:
        self.context = context
        self._runs: dict[Scope, ConstraintRun | None] = {}

    @cached_property
    def index(self) -> Index:
        """The expressions of the file."""
        return self.context.index

    def numpy(self) -> Iterator[Finding]:
        """Tensors that numpy reads without a copy, in functions where they, or tensors used with them, may be on any device;
        in files that place something."""
        if not any(map(self._may_read, self.context.tree.scopes.values())) or not any(
            places.search(self.context.source.text) for places in _PLACES
        ):
            return
        for scope, reads in self._reads.items():
            bare = [r for r in reads if not r.copied]
            if not bare or not self._may_read(scope):
                continue
            copied = [r for r in reads if r.copied]
            for read in bare:
                if self._chosen(read):
                    continue
                shown = (
                    self._in_the_same_words(read, copied)
                    or (self._settled(read) and (self._beside(read, copied) or self._followed(read)))
                    or self._shares(read, copied)
                )
                if shown or self._of_one_call(read, copied) or self._of_one_container(read, copied):
                    receiver = read.call.func.value  # type: ignore[attr-defined]
                    edit = moved(self.context.source, receiver, ".cpu()")
                    yield Finding(
                        self.context.span(receiver),
                        edits=(edit,),
                        premises=() if shown else (premises.NAME_IS_TENSOR(name=read.name),),
                        device="cpu",
                        doubt=premises.NOTHING_FAILS_ON_CPU,
                        names=(self.context.text(receiver),),
                    )

    def _of_one_call(self, read: _Read, copied: list[_Read]) -> bool:
        """Whether one call of a module gave the tensor and one that is copied: ``a, b = model(x)``, or ``a = out[0]`` and ``b = out[1]``; or a
        module computed it of one: ``_, out = model(batch)`` and ``batch["y"].cpu()``."""
        mine = self._given_by(read)
        given = {arg.id for arg in argument_values(mine) if isinstance(arg, ast.Name)} if mine is not None else ()
        return mine is not None and any(
            (self._given_by(r) is mine and r.name != read.name) or r.root in given
            for r in copied
            if not self._chosen(r)
        )

    def _of_one_container(self, read: _Read, copied: list[_Read]) -> bool:
        """Whether the tensor and one that is copied are items of one argument, ``batch["x"]`` and ``batch["y"].cpu()``, and the function copies
        whatever else numpy reads, two at least: one item alone may have been on the CPU all the time."""
        given = parameters(read.stmt.scope.function.args)
        if read.name == read.root or read.root not in given or not self._settled(read):
            return False
        others = [r for r in self._reads[read.stmt.scope] if r is not read]
        if len({r.name for r in others}) < 2 or len(others) != len(copied) or any(map(self._chosen, others)):
            return False
        return any(r.root == read.root and r.name not in (read.name, r.root) for r in copied)

    def _given_by(self, read: _Read) -> ast.Call | None:
        """The call of a module that gave a tensor, as one of several results; None if that is not certain."""
        scope, name, part = read.stmt.scope, read.root, read.name != read.root
        for _ in range(3):
            bound, values = self.index.binding(scope, name), self.index.values(scope, name)
            others = [stmt for stmt in bound if stmt is not read.stmt]
            before = others and any(dominates(s, read.stmt) for s in _with_its_block(others[0]))
            if len(others) != 1 or not before or scope.lookup(name) is not scope or self._hidden(read):
                return None
            node = others[0].node
            value = node.value if isinstance(node, ast.Assign) and len(node.targets) == 1 else None
            unpacked = isinstance(node, ast.Assign) and isinstance(node.targets[0], (ast.Tuple, ast.List))
            if isinstance(value, ast.Call):
                return value if (part or unpacked) and self._is_of_module(value) else None
            if not isinstance(value, ast.Subscript) or not isinstance(value.value, ast.Name) or not values:
                return None
            name, part = value.value.id, True
        return None

    def _is_of_module(self, call: ast.Call) -> bool:
        """Whether a call is that of a module by its name, and names no device."""
        name = dotted(call.func)
        return (name.endswith(".forward") or mentions_modules(name)) and not _shows_place(call)

    def _may_read(self, scope: Scope) -> bool:
        """Whether the text of a function lets numpy read something without a copy and has other reads with a copy to the CPU,
        or a device of a creation; without, nothing can be found in it."""
        if not scope.is_function:
            return False
        text = self.context.tree.text(scope)
        return bool(
            "numpy" in text and any(word in text for word in ("cpu", ".device")) and READ_BARE.search(text)
        ) and not self.context.get(DeviceTests).are_in(scope)

    @cached_property
    def _reads(self) -> dict[Scope, list[_Read]]:
        found: dict[Scope, list[_Read]] = {}
        for call, stmt in self.index.calls:
            if (
                isinstance(call.func, ast.Attribute)
                and call.func.attr == "numpy"
                and not call.args
                and not call.keywords
            ):
                name, copied = _chain(call.func.value)
                if name:
                    found.setdefault(stmt.scope, []).append(_Read(call, stmt, name, copied))
        return found

    def _settled(self, read: _Read) -> bool:
        """Whether all bindings of the name have happened where it is read, and none places it on the host."""
        scope, root = read.stmt.scope, read.root
        if scope.lookup(root) is not scope or self._hidden(read):
            return False
        if root != read.name and any(
            text.startswith(f"{root}.[") and any(w.stmt.scope is scope for w in writes)
            for text, writes in self.index.items.items()
        ):
            return False
        around = list(read.stmt.ancestors())
        for stmt in self.index.binding(scope, root):
            if stmt is read.stmt:
                continue  # bound after the read
            if not (any(dominates(s, read.stmt) for s in _with_its_block(stmt)) or stmt in around):
                return False
            value = getattr(stmt.node, "value", None)
            if value is not None and _shows_place(value):
                return False
        return True

    @staticmethod
    def _hidden(read: _Read) -> bool:
        """Whether the statement binds the name itself, as a comprehension or a lambda may."""
        node = read.stmt.node
        targets = node.targets if isinstance(node, ast.Assign) else []  # bound after the read
        parts = [n for part in header(node) if part not in targets for n in walk(part)]
        return any(n.arg == read.root for n in parts if isinstance(n, ast.arg)) or any(
            n.id == read.root for n in parts if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)
        )

    def _chosen(self, read: _Read) -> bool:
        """Whether the read depends on a test of the device."""
        return is_tested(self.context, read.call, read.stmt)

    def _beside(self, read: _Read, copied: list[_Read]) -> bool:
        """Whether the same tensor is copied elsewhere in the function, or one that it is computed with."""
        names = {r.name for r in copied if self._settled(r) and not self._chosen(r)}
        return (
            read.name in names
            or bool(names & self._operands(read))
            or any(read.name in self._operands(r) for r in copied if r.name in names)
        )

    def _shares(self, read: _Read, copied: list[_Read]) -> bool:
        """Whether the tensor was on the CPU only if a copied one was, in every call of the function: then the copy shows that both may be on
        a device."""
        others = [tensor for r in copied if (tensor := _copied(r.call)) is not None and not self._chosen(r)]
        run = self.run(read.stmt.scope) if others else None
        bare = read.call.func.value  # type: ignore[attr-defined]
        return run is not None and any(run.always_share(bare, tensor) for tensor in others)

    def run(self, scope: Scope) -> ConstraintRun | None:
        """The run of a function with the must-share domain; None for one that is not run."""
        if scope not in self._runs:
            infos = self.context.get(ClassSummaries).known
            plain = isinstance(scope.node, ast.FunctionDef) and not yields(scope)
            run = ConstraintRun(scope, infos, owner_of(scope, infos)) if plain else None
            if run is not None and run.proven:
                first, run = run, ConstraintRun(scope, infos, owner_of(scope, infos), run.proven)
                first.release()
            self._runs[scope] = run
        return self._runs[scope]

    def release(self) -> None:
        """Break the reference cycles; no query can follow."""
        for run in filter(None, self._runs.values()):
            run.release()

    def _in_the_same_words(self, read: _Read, copied: list[_Read]) -> bool:
        """Whether the line copies another tensor for numpy in the same words, and one statement binds both:
        ``x, y = x.view(-1).cpu().numpy(), y.view(-1).numpy()``."""
        line = read.stmt.node.value if isinstance(read.stmt.node, ast.Assign) else None
        bound = self._bound_before(read)
        if not isinstance(line, ast.Tuple) or read.call not in line.elts or not bound:
            return False
        words = _worded(read)
        return any(
            r.stmt is read.stmt and r.root != read.root and _worded(r) == words
            and self._bound_before(r) == bound
            for r in copied
        )  # fmt: skip

    def _bound_before(self, read: _Read) -> list[Stmt]:
        """The statements that bind the name on the way to a read, not behind it."""
        around = list(read.stmt.ancestors())
        return [
            s
            for s in self.index.binding(read.stmt.scope, read.root)
            if s is not read.stmt and (s in around or dominates(s, read.stmt))
        ]

    def _operands(self, read: _Read) -> set[str]:
        """The tensors that the only assignment of a name computes it of."""
        bound = self.index.binding(read.stmt.scope, read.name)
        values = [w.value for w in self.index.values(read.stmt.scope, read.name)]
        if len(bound) != 1 or len(values) != 1 or values[0] is None:
            return set()
        return {n.id for n in self.leaves(values[0], read.stmt.scope)}

    def leaves(self, value: ast.expr, scope: Scope) -> Iterator[ast.Name]:
        """The names of an expression whose values are on the device of the expression."""
        if isinstance(value, ast.Name):
            yield value
        elif isinstance(value, ast.BinOp):
            yield from self.leaves(value.left, scope)
            yield from self.leaves(value.right, scope)
        elif isinstance(value, (ast.UnaryOp, ast.Subscript)):
            yield from self.leaves(value.operand if isinstance(value, ast.UnaryOp) else value.value, scope)
        elif isinstance(value, ast.Call):
            name = self.context.tree.qualname(value.func, scope)
            if torch_model.computes_tensor(name):
                for argument in value.args:
                    yield from self.leaves(argument, scope)
            elif name is None and isinstance(value.func, ast.Attribute) and torch_model.stays(value.func.attr):
                yield from self.leaves(value.func.value, scope)

    def _followed(self, read: _Read) -> bool:
        """Whether the function makes something on the device of the tensor."""
        for node, stmt in self.index.read(f"{read.name}.device"):
            if stmt.scope is read.stmt.scope and any(self._gives(part, node, read.call) for part in walk(stmt.node)):
                return True
        return False

    @staticmethod
    def _gives(part: ast.AST, device: ast.expr, read: ast.Call) -> bool:
        """Whether a call makes something on a device, ``torch.zeros(3, device=x.device)``, or moves the result of the numpy read there.
        ``y.to(x.device)`` shows that `y` may be on any device, but not that `x` may."""
        if not isinstance(part, ast.Call):
            return False
        if isinstance(part.func, ast.Attribute) and part.func.attr == "to":
            given = (*part.args, keyword_value(part, "device"))
            return device in given and any(inner is read for inner in walk(part.func.value))
        return keyword_value(part, "device") is device


def is_tested(context: AnalysisContext, call: ast.Call, stmt: Stmt) -> bool:
    """Whether a call is in a `try`, or under a test that names CUDA or the CPU, in an arm of an expression too."""
    around = [s.node for s in stmt.ancestors()]
    arms = [
        n
        for part in header(stmt.node)
        for n in walk(part)
        if isinstance(n, ast.IfExp) and any(call is c for arm in (n.body, n.orelse) for c in walk(arm))
    ]
    tests = [n.test for n in (*around, *arms) if isinstance(n, (ast.If, ast.IfExp))]
    return any(isinstance(n, ast.Try) for n in around) or any(mentions_device(context.text(test)) for test in tests)


def _shows_place(node: ast.AST) -> bool:
    """Whether an expression computes on the host, names a device or moves something."""
    return goes_to_host(node) or any(identifier(part) in _SHOW_PLACE for part in walk(node))


def _worded(read: _Read) -> str:
    """How numpy reads a tensor, without its name and its copy."""
    words: list[str] = []
    node: ast.expr = read.call
    while isinstance(node, (ast.Call, ast.Attribute, ast.Subscript)):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
            words += [node.func.attr, *map(ast.dump, (*node.args, *node.keywords))] if node.func.attr != "cpu" else []
            node = node.func.value
        else:
            words.append(
                node.attr
                if isinstance(node, ast.Attribute)
                else ast.dump(node.slice)
                if isinstance(node, ast.Subscript)
                else ""
            )
            node = node.value if not isinstance(node, ast.Call) else node.func
    return " ".join(words)


def _copied(read: ast.Call) -> ast.expr | None:
    """``x`` of ``x.detach().cpu().numpy()``: the tensor that is copied to the CPU."""
    node: ast.expr = read
    while isinstance(node, (ast.Call, ast.Attribute, ast.Subscript)):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "cpu":
            return node.func.value
        node = node.func if isinstance(node, ast.Call) else node.value
    return None


def _with_its_block(stmt: Stmt) -> Iterator[Stmt]:
    """A statement, and the ``with`` statements that it always runs in."""
    yield stmt
    while stmt.suite.owner is not None and isinstance(stmt.suite.owner.node, (ast.With, ast.AsyncWith)):
        stmt = stmt.suite.owner
        yield stmt


def _chain(node: ast.expr) -> tuple[str, bool]:
    """``x`` of ``x.detach().cpu()[0]``, ``batch['x']`` of an item under a literal key, and whether it is copied to the CPU
    on the way; no name for anything else."""
    copied = False
    key = ""
    while not isinstance(node, ast.Name):
        if isinstance(node, ast.Subscript):
            # another item of the same container under a literal key may be on another device
            key = f"[{node.slice.value!r}]" if isinstance(node.slice, ast.Constant) else ""
            node = node.value
        elif isinstance(node, ast.Attribute) and node.attr in ("data", "T", "grad", "real", "imag"):
            node, key = node.value, ""
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
            attr = node.func.attr
            here = attr == "cpu" or (
                attr == "to"
                and len(node.args) == 1
                and isinstance(node.args[0], ast.Constant)
                and node.args[0].value == "cpu"
            )
            if not here and not torch_model.stays(attr):
                return "", False
            copied = copied or here
            node, key = node.func.value, ""
        else:
            return "", False
    return node.id + key, copied
