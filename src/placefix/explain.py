"""The values that the analysis has at a line of a file: kind, place, line of the placement, and premises."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, NamedTuple

from placefix import engine, files, runner
from placefix.discover import Target, discover
from placefix.facts.interpret.trace import Trace
from placefix.facts.program.tree import Tree
from placefix.recursion import retry_deeper
from placefix.source import SourceError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from placefix.config import Configs
    from placefix.diagnostic import Diagnostic
    from placefix.facts.interpret.trace import Belief
    from placefix.facts.interpret.values import Obj, ObjKind, Place
    from placefix.facts.program.device_values import Device
    from placefix.facts.program.repository import Home
    from placefix.facts.program.tree import Stmt
    from placefix.source import Source

_CODE = frozenset(("import", "class", "function", "method", "world"))  # kinds of code: they are placed nowhere
_CONSTANT = frozenset(("const", "device", "flag", "dtype"))
_ON_SOME_PATHS = {"wrapper": "wrapped", "compiled": "compiled"}
_KINDS = {
    "params": "parameters",
    "element": "item of a loader",
    "encoding": "object with tensors",
    "views": "part of a data set",
    "dataset": "data set",
    "flag": "flag: whether to use CUDA",
    "part": "part of a module",
    "loader": "data loader",
    "generated": "generator",
    "enumerated": "enumerate",
    "zipped": "zip",
    "const": "constant",
}
_DEVICES = {
    "available": "CUDA if it is available, else the CPU",
    "cuda": "CUDA",
    "cpu": "the CPU",
}


class ExplainError(ValueError):
    """The line cannot be explained; the message is one line and names the reason."""


class ExplainedExpression(NamedTuple):
    """The value of one expression.

    name: the expression. kind: its kind of value. place: its device before the line runs; after: its device afterwards, "" if unchanged.
    since: the line that placed or made it; "" if unknown. premises: the assumptions, one sentence each.
    """

    name: str
    kind: str
    place: str
    after: str
    since: str
    premises: tuple[str, ...]


class View(NamedTuple):
    """The values at the line for one chain of calls. called_from: the calls, the innermost first; none if nothing calls the function."""

    called_from: tuple[str, ...]
    entries: tuple[ExplainedExpression, ...]


class Explanation(NamedTuple):
    """The values at a line. line: its text. row, cell: 1-based; cell is None outside of notebooks.

    unseen: the calls that the analysis could not see into, of those that the entries depend on or that are on the line.
    findings: those that touch the line.
    """

    filename: str
    row: int
    cell: int | None
    line: str
    views: tuple[View, ...]
    unseen: tuple[str, ...]
    findings: tuple[Diagnostic, ...]


def explain_line(path: str, row: int, cell: int | None, configs: Configs) -> Explanation:
    """The values at a 1-based row of a file, or of a 1-based cell of a notebook.

    Raises ExplainError if there is no such file or line, no code on the line, or the file cannot be read or parsed.
    """
    target = next(iter(discover([path], configs)), None)
    if not isinstance(target, Target):
        raise ExplainError(target.reason if target is not None else "the file is excluded, or no Python file")
    repositories = runner.Repositories([path])
    try:
        data = files.read(target.path)
        result = runner.check_bytes(target, data, repositories)
        source = result.source or runner.decode_target(target, data)
        return retry_deeper(
            lambda: explain_source(source, row, cell, repositories.home(target.absolute), result.remaining)
        )
    except (files.FileError, SourceError, engine.ParseError) as error:
        raise ExplainError(str(error)) from None


def explain_source(
    source: Source,
    row: int,
    cell: int | None,
    home: Home | None,
    findings: Iterable[Diagnostic] = (),
) -> Explanation:
    """As `explain_line`, for a text. findings: those of the text. Raises ExplainError and engine.ParseError."""
    line = _line(source, row, cell)
    module = engine.parse(source)
    tree = Tree(source, module, home)
    observed = frozenset(_statements(tree, line))
    if not observed:
        raise ExplainError(f"{source.row_name(line)}: no statement is on this line")
    trace = Trace(tree, source, observed)
    describe = _Describer(source, module, trace, observed)
    views = tuple(
        View(
            tuple(source.row_name(row) for row in reversed(rows)),
            tuple(map(describe.entry, _is_worth_showing(beliefs))),
        )
        for rows, beliefs in trace.beliefs.items()
    )
    start, end = source.line_starts[line - 1], source.line_starts[line - 1] + len(source.line(line))
    here = tuple(d for d in findings if d.span.start < end and start <= max(d.span.start, d.span.end - 1))
    unseen = tuple(describe.unseen([b.value for beliefs in trace.beliefs.values() for b in beliefs]))
    text = source.line(line).strip()
    tree.release()
    return Explanation(source.name, row, cell, text, views, unseen, here)


def _line(source: Source, row: int, cell: int | None) -> int:
    """The 1-based line of `source.text` that a user means."""
    for line in range(1, len(source.line_starts) + 1):
        start = source.line_starts[line - 1]
        if source.cell(start) == cell and source.location(start).row == row:
            return line
    where = f"line {row}" if cell is None else f"cell {cell}, line {row}"
    hint = "; name the cell of a notebook: FILE:CELL:LINE" if cell is None and source.name.endswith(".ipynb") else ""
    raise ExplainError(f"there is no {where}{hint}")


def _statements(tree: Tree, line: int) -> Iterator[Stmt]:
    """The statements of which a line is part, compound ones by their header only."""
    for stmt in tree.stmts.values():
        node = stmt.node
        last = node.end_lineno or node.lineno
        body = getattr(node, "body", None) or getattr(node, "cases", None)
        if isinstance(body, list):
            first = body[0]
            inner = getattr(first, "lineno", None) or first.pattern.lineno
            last = max(node.lineno, inner - 1)
        if node.lineno <= line <= last:
            yield stmt


def _is_worth_showing(beliefs: Iterable[Belief]) -> list[Belief]:
    """All but names of packages, classes and functions."""
    return [belief for belief in beliefs if belief.value.kind not in _CODE]


class _Describer:
    """Puts values, places and devices into words."""

    def __init__(self, source: Source, module: ast.Module, trace: Trace, observed: frozenset[Stmt]) -> None:
        self._source = source
        self._trace = trace
        nodes = [stmt.node for stmt in observed]
        self._rows = {row for node in nodes for row in range(node.lineno, (node.end_lineno or node.lineno) + 1)}
        self._own = {id(node) for node in ast.walk(module)}  # nodes that are not among these belong to other files

    def entry(self, belief: Belief) -> ExplainedExpression:
        """An expression with its kind, device, origin and premises in words."""
        value = belief.value
        before, after = self._place(value, belief.before), self._place(value, belief.after)
        return ExplainedExpression(
            belief.text,
            self._kind(value),
            before,
            after if after != before else "",
            self._since(value, belief.after),
            tuple(self._premises(belief)),
        )

    def unseen(self, values: list[Obj]) -> Iterator[str]:
        """The calls on the line that were not seen into, and those that made one of the values."""
        made = {id(value.origin) for value in values if value.origin is not None}
        seen: set[int] = set()
        for call in self._trace.unseen:
            node = call.node
            if id(node) in seen or not (id(node) in made or node.lineno in self._rows):
                continue
            seen.add(id(node))
            name = f", `{call.name}`" if call.name and call.name != self._source.code(node.func) else ""
            yield f"{self._row(node)}: `{_shorten(self._source.code(node))}`{name}"

    def _row(self, node: ast.AST) -> str:
        return self._source.row_name(node.lineno) if id(node) in self._own else "another file"  # type: ignore[attr-defined]

    def _kind(self, value: Obj) -> str:
        kind = _KINDS.get(value.kind, value.kind)
        describe = _DESCRIPTIONS.get(value.kind)
        text = describe(self, value, kind) if describe is not None else ""
        if text:
            return text
        if value.cls is not None:
            header = value.cls.scope.node
            return f"{kind} `{getattr(header, 'name', '')}` (class: {self._row(header)})"
        return f"{kind} `{value.name}`" if value.kind in ("tensor", "module") and "." in value.name else kind

    def _of_wrapper(self, value: Obj, kind: str) -> str:
        if value.base is None:
            return ""
        return f"{value.wrap.rpartition('.')[2] or 'wrapper'} around {self._kind(value.base)}"

    def _of_compiled(self, value: Obj, kind: str) -> str:
        return f"compiled {self._kind(value.base)}" if value.base is not None else ""

    def _of_constant(self, value: Obj, kind: str) -> str:
        return f"constant {_shorten(repr(value.value))}"

    def _of_device(self, value: Obj, kind: str) -> str:
        return f"device: {self._device(value.device)}" if value.device is not None else ""

    def _of_optimizer(self, value: Obj, kind: str) -> str:
        return f"{value.name or kind} of {', '.join(map(self._kind, value.members))}" if value.members else ""

    def _of_parameters(self, value: Obj, kind: str) -> str:
        return f"parameters of {', '.join(map(self._kind, value.members))}" if value.members else ""

    def _of_part(self, value: Obj, kind: str) -> str:
        if value.cls is not None:
            return ""
        whole = self._kind(value.base) if value.base is not None else "a module"
        return f"`{value.attr}` of {whole}" if value.attr else f"part of {whole}"

    def _of_unknown(self, value: Obj, kind: str) -> str:
        if value.cls is not None:
            return ""
        if value.param:
            return f"unknown: parameter `{value.param}`"
        return f"unknown: result of `{value.name}`" if value.name else ""

    def _device(self, device: Device) -> str:
        if device.kind in _DEVICES:
            index = f" {device.index}" if device.index is not None else ""
            return _DEVICES[device.kind] + index
        if device.is_flag:
            return (
                f"CUDA if `{device.text}`, else the CPU"
                if device.text
                else "CUDA if a flag of the script is on, else the CPU"
            )
        if device.has_number:
            return f"GPU {device.index}" if device.index is not None else "a GPU by its number"
        if device.is_of_tensor:
            return f"the device of a tensor (`{device.text}`)" if device.text else "the device of a tensor"
        return f"`{device.text}`, not known" if device.text else "not known"

    def _place(self, value: Obj, place: Place) -> str:
        if not value.is_tensor_like and not value.is_module:
            return ""
        if place.is_host:
            return "on the CPU"
        if place.is_device and place.device is not None:
            text = place.device.text
            where = self._device(place.device)
            return f"on `{text}` ({where})" if text and text not in where and text[0] not in "'\"" else f"on {where}"
        if place.kind == "mixed":
            other = f" (on another one: {self._device(place.device)})" if place.device is not None else ""
            return f"on different devices, by the path taken{other}"
        return "not known where"

    def _since(self, value: Obj, place: Place) -> str:
        if place.event is not None:
            return f"since {self._row(place.event.node)}"
        if value.origin is None or value.param or value.kind in _CONSTANT or not hasattr(value.origin, "lineno"):
            return ""
        if value.origin.lineno in self._rows:
            return ""
        return f"made on {self._row(value.origin)}" if id(value.origin) in self._own else "made in another file"

    def _module_by_use(self, text: str) -> str:
        rows = sorted({self._source.line_of(at) for at in self._trace.evidence.get(text, ())})
        where = f" ({', '.join(map(self._source.row_name, rows[:3]))})" if rows else ""
        return f"`{text}` is a module: methods are called on it that modules have{where}"

    def _premises(self, belief: Belief) -> Iterator[str]:
        value = belief.value
        if value.is_module and value.root().cls is None and not value.root().name.startswith("torch."):
            yield self._module_by_use(belief.text)
        elif not value.proven and not value.is_unknown:
            yield from (premise.text for premise in value.premises)
        if value.param and not value.is_unknown:
            yield f"every caller passes such a value for `{value.param}`"
        if value.maybe and value.kind in _ON_SOME_PATHS:
            yield f"it is {_ON_SOME_PATHS[value.kind]} on some paths only"
        if value.maybe and value.kind == "tensor" and belief.after.is_host:
            yield "it may have no dimension; such a tensor may meet tensors of other devices"
        device = belief.after.device
        if device is not None and device.kind == "other" and (value.is_module or value.is_tensor_like):
            yield f"the value of `{device.text}` is not known" if device.text else "the device is not known"


# The description of a value of a kind: the describer, the value, the name of its kind; "" for the general one.
_DESCRIPTIONS: dict[ObjKind, Callable[[_Describer, Obj, str], str]] = {
    "wrapper": _Describer._of_wrapper,
    "compiled": _Describer._of_compiled,
    "const": _Describer._of_constant,
    "device": _Describer._of_device,
    "optimizer": _Describer._of_optimizer,
    "params": _Describer._of_parameters,
    "part": _Describer._of_part,
    "unknown": _Describer._of_unknown,
}


def _shorten(text: str, limit: int = 60) -> str:
    text = " ".join(text.split())
    return text if len(text) <= limit else text[: limit - 1] + "…"
