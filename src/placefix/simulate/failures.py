"""The description of an error: the user's frames, and the tensors of the line that raised it."""

from __future__ import annotations

import ast
import linecache
import os
import re
import sys
import time
import traceback
from collections import deque
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from types import FrameType

    from placefix.simulate.request import Request

SIMULATOR_FOLDER = str(Path(__file__).parent) + os.sep


def script_frame(frame: Any, request: Request) -> dict[str, Any] | None:
    """The innermost frame of the user's code at or above a frame, None if there is none."""
    found = _user_frame(frame, request)
    return None if found is None else _place(found, found.f_lineno)


def _user_frame(frame: Any, request: Request) -> Any:
    while frame is not None and not is_user_file(frame.f_code.co_filename, request):
        frame = frame.f_back
    return frame


def _place(frame: Any, line: int) -> dict[str, Any]:
    return {"file": frame.f_code.co_filename, "line": line, "in": frame.f_code.co_name}


def is_user_file(name: str, request: Request) -> bool:
    """Whether a file is the script, or below its folder or the working directory and not installed."""
    if name == request.script:
        return True
    return name.startswith(_user_folders(request.script, request.folder)) and (
        "site-packages" not in name and not name.startswith(SIMULATOR_FOLDER)
    )


@cache  # it is called for each frame of each function of torch, where tensors are traced
def _user_folders(script: str, folder: str) -> tuple[str, ...]:
    """The folder of the script and the working directory, each with a separator at its end."""
    return tuple(os.path.join(path, "") for path in (Path(script).parent, Path(folder).resolve()))


_noted: list[dict[str, Any]] = []  # the errors about devices that were raised in this process


class CaughtErrors:
    """The errors about devices that were raised in this process, also those that the script catches."""

    _LIMIT = 20

    def __init__(self, request: Request) -> None:
        self._request = request
        if request.devices:
            from placefix.simulate import device_checks

            device_checks.on_error.append(self._note)

    def _note(self, error: BaseException) -> None:
        if len(_noted) < self._LIMIT:
            frame = _user_frame(sys._getframe(1), self._request)
            note: dict[str, Any] = {"type": type(error).__name__, "text": str(error), "where": None, "operands": []}
            if frame is not None:
                line = frame.f_lineno
                note["where"] = _place(frame, line) | {"source": _source_line(frame, line, self._request)}
                note["operands"] = _operands(frame, line, self._request, list(_frames_until(frame)))
            _noted.append(note)

    def besides(self, error: dict[str, Any] | None) -> list[dict[str, Any]]:
        """Those that are not part of the error that ended the script, each once."""
        last = error["text"] if error else ""
        found = [noted for noted in _noted if noted["text"] not in last and noted["where"]]
        return [noted for number, noted in enumerate(found) if noted not in found[:number]]


def _places_of(
    text: str, frames: list[tuple[Any, int]], request: Request, inner: list[Any]
) -> tuple[list[dict[str, Any]], list[Any]]:
    """The places of an error in the user's code, the outermost first, and the operands of the last line. inner: the frames that this line
    has called."""
    where = [_place(frame, line) | {"source": _source_line(frame, line, request)} for frame, line in frames]
    operands = _operands(*frames[-1], request, inner) if frames else []
    noted = next((note for note in _noted if note["where"] and note["text"] in text), None)
    if noted is not None and where and (noted["where"]["file"], noted["where"]["line"]) != _spot(where[-1]):
        where.append(noted["where"])  # raised in another thread, and again here
        operands = noted["operands"]
    elif noted is None:
        where += _nested_places(text, request)
        operands = operands if not where or _spot(where[-1]) == _spot(where[len(frames) - 1]) else []
    return where, operands


def describe_error(error: BaseException, request: Request) -> dict[str, Any]:
    """An exception as plain data: its type and text, the user's frames from the outermost, and the operands of the last line."""
    frames = []
    inner: list[Any] = []  # the frames of other code below the user's last one
    name = ""
    for frame, line in traceback.walk_tb(error.__traceback__):
        name = frame.f_code.co_filename
        if is_user_file(name, request):
            frames.append((frame, line))
            inner = []
        else:
            inner.append(frame)
    text = str(error)
    where, operands = _places_of(text, frames, request, inner)
    if not where and isinstance(error, SyntaxError):
        where = [
            {"file": error.filename or "", "line": error.lineno or 0, "in": "", "source": (error.text or "").strip()}
        ]
    return {
        "type": type(error).__name__,
        "text": text,
        "where": where,
        "operands": operands,
        "holders": _memory_holders(frames) if "CUDA out of memory" in text else [],
        "own": bool(name) and is_user_file(name, request),  # it was raised by the user's code
        "at": time.monotonic(),  # of the machine: processes can be compared
        "lacks": lacks_kernel(text),
        "missing": error.name if isinstance(error, ModuleNotFoundError) else None,
    }


def _spot(place: dict[str, Any]) -> tuple[str, int]:
    return place["file"], place["line"]


def _source_line(frame: Any, line: int, request: Request) -> str:
    """The text of a line of the user's code."""
    name = frame.f_code.co_filename
    if request.source and name == request.script:
        return "".join(Path(request.source).read_text(encoding="utf-8").splitlines()[line - 1 : line]).strip()
    return linecache.getline(name, line).strip()


_FRAME = re.compile(r'^\s*File "([^"]+)", line (\d+), in (\S+)', re.MULTILINE)


def _nested_places(text: str, request: Request) -> list[dict[str, Any]]:
    """The user's frames in the traceback that an error has in its text, as those of DataLoader's workers have."""
    start = text.rfind("Traceback (most recent call last)")
    if start < 0:
        return []
    return [
        {"file": file, "line": int(line), "in": function, "source": linecache.getline(file, int(line)).strip()}
        for file, line, function in _FRAME.findall(text, start)
        if is_user_file(file, request)
    ]


def _memory_holders(frames: Sequence[tuple[Any, int]]) -> list[dict[str, Any]]:
    """The variables of the user's frames that hold the most memory of devices, the largest first."""
    import torch

    def tensors(value: Any, depth: int) -> Iterator[Any]:
        """The tensors of devices in a value, with those of its items."""
        if isinstance(value, torch.Tensor):
            if value.is_cuda and value.layout is torch.strided:
                yield value
        elif isinstance(value, torch.nn.Module):
            yield from (tensor for tensor in [*value.parameters(), *value.buffers()] if tensor.is_cuda)
        elif isinstance(value, (dict, list, tuple, set, deque)) and depth:
            for item in list(value.values() if isinstance(value, dict) else value):
                yield from tensors(item, depth - 1)

    found = {}
    for frame, _ in frames:
        for name, value in [*frame.f_globals.items(), *frame.f_locals.items()]:
            if name.startswith("__"):
                continue
            storages = {
                tensor.untyped_storage()._cdata: tensor.untyped_storage().nbytes() for tensor in tensors(value, 2)
            }
            what = (
                f"{type(value).__name__} of {len(value)}" if isinstance(value, (list, deque)) else type(value).__name__
            )
            found[name] = {"name": name, "what": what, "bytes": sum(storages.values())}
    return sorted((row for row in found.values() if row["bytes"]), key=lambda row: -int(row["bytes"]))[:3]


_NO_KERNEL = re.compile(r"Could not run '(?:aten::)?([\w.:]+)' with arguments from the '(\w+)' backend")


def lacks_kernel(text: str) -> bool:
    """Whether a message reports that an operator has no kernel, which a CUDA build of torch may have: the simulator lacks it."""
    match = _NO_KERNEL.search(text)
    if match is None:
        return "Could not run '" in text
    from placefix.simulate.native_functions import native_functions

    operator = native_functions().get(match[1])
    if operator is None or not operator.kernels:  # not one of torch's, or a composition
        return True
    return any(key == match[2] or key.startswith("Composite") for key in operator.kernels)


def _frames_until(frame: Any) -> Iterator[Any]:
    """The frames of the running code down to a frame, without it."""
    running: FrameType | None = sys._getframe(1)
    while running is not None and running is not frame:
        yield running
        running = running.f_back


def _operands(frame: Any, line: int, request: Request, inner: list[Any]) -> list[dict[str, Any]]:
    """The tensors and modules that a line names, with where they are; empty if the line cannot be read. `reached`: whether
    one of the frames that the line has called has it, too: ``target`` of CrossEntropyLoss.forward."""
    try:
        reached = {id(value) for each in inner for value in each.f_locals.values()}
        return _operands_of_line(frame, _source_line(frame, line, request), reached)
    except Exception:
        return []


def _operands_of_line(frame: Any, source: str, reached: set[int]) -> list[dict[str, Any]]:
    import torch

    tree = None
    for text in (source, source.rstrip(":") + ": pass", source.rstrip(",") + ")", source + ")", "(" + source):
        try:
            tree = ast.parse(text)
            break
        except SyntaxError:
            continue
    named: dict[str, tuple[ast.expr, list[int]]] = {}
    used: set[str] = set()  # as they are, and not only moved: ``y`` of ``f(x.to(device), y)``
    if tree is not None:
        moved = {id(node.func.value) for node in ast.walk(tree) if _is_move(node)}  # type: ignore[attr-defined]
        for node, path in _with_paths(tree, []):
            if isinstance(node, (ast.Name, ast.Attribute, ast.Subscript)) and isinstance(node.ctx, ast.Load):
                named.setdefault(ast.unparse(node), (node, path))
                if id(node) not in moved:
                    used.add(ast.unparse(node))
    found = []
    for name, (node, path) in named.items():
        value = _evaluate(frame, node)
        if isinstance(value, (tuple, list)) and value and all(isinstance(part, torch.Tensor) for part in value):
            what = f"{type(value).__name__} of {len(value)} tensors"
            found.append(_operand(name, what, value) | _origin(value[0]) | {"path": path})
        elif isinstance(value, torch.Tensor):
            found.append(
                _operand(name, f"{str(value.dtype)[6:]} {list(value.shape)}", [value])
                | _origin(value)
                | {"path": path, "reached": id(value) in reached}
            )
        elif isinstance(value, torch.nn.Module):
            tensors = [*value.parameters(), *value.buffers()]
            if tensors:
                found.append(_operand(name, type(value).__name__, tensors) | {"path": path})
    return [operand | {"only_moved": operand["name"] not in used} for operand in found]


def _is_move(node: ast.AST) -> bool:
    """Whether a node is ``x.to(…)``, ``x.cuda(…)`` or ``x.cpu()``."""
    return (
        isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in ("to", "cuda", "cpu")
    )


def _with_paths(node: ast.AST, path: list[int]) -> Iterator[tuple[ast.AST, list[int]]]:
    """The nodes of a tree, each with the numbers of the children that lead to it."""
    yield node, path
    for number, child in enumerate(ast.iter_child_nodes(node)):
        yield from _with_paths(child, [*path, number])


def _operand(name: str, what: str, tensors: Sequence[Any]) -> dict[str, Any]:
    return {"name": name, "what": what, "device": ", ".join(sorted({str(tensor.device) for tensor in tensors}))}


def _origin(tensor: Any) -> dict[str, Any]:
    """Where a tensor was made and last moved, where the run was traced."""
    return {"made": getattr(tensor, "placefix_made", None), "moved": getattr(tensor, "placefix_moved", None)}


def _evaluate(frame: Any, node: ast.expr) -> Any:
    """The value of a name, an attribute, or an item of a dict or list in a frame; None for anything else."""
    if isinstance(node, ast.Constant):
        return node.value
    if isinstance(node, ast.Name):
        return frame.f_locals.get(node.id, frame.f_globals.get(node.id))
    if isinstance(node, ast.Attribute):
        return getattr(_evaluate(frame, node.value), node.attr, None)
    if isinstance(node, ast.Subscript):
        holder, key = _evaluate(frame, node.value), _evaluate(frame, node.slice)
        if isinstance(holder, dict) and isinstance(key, (str, int)):
            return holder.get(key)
        if isinstance(holder, (list, tuple)) and isinstance(key, int) and -len(holder) <= key < len(holder):
            return holder[key]
    return None
