"""The description of an error: the user's frames, and the tensors of the line that raised it."""

from __future__ import annotations

import ast
import linecache
import os
import re
import sys
import time
import traceback
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Sequence

    from placefix.simulate.request import Request

SIMULATOR_FOLDER = str(Path(__file__).parent) + os.sep


def script_frame(frame: Any, request: Request) -> dict[str, Any] | None:
    """The innermost frame of the user's code at or above a frame, None if there is none."""
    while frame is not None:
        name = frame.f_code.co_filename
        if is_user_file(name, request):
            return _place(frame, frame.f_lineno)
        frame = frame.f_back
    return None


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


class CaughtErrors:
    """The errors about devices that were raised in this process, also those that the script catches."""

    _LIMIT = 20

    def __init__(self, request: Request) -> None:
        self._request = request
        self._noted: list[dict[str, Any]] = []
        if request.devices:
            from placefix.simulate import device_checks

            device_checks.on_error.append(self._note)

    def _note(self, error: BaseException) -> None:
        if len(self._noted) < self._LIMIT:
            place = script_frame(sys._getframe(1), self._request)
            self._noted.append({"type": type(error).__name__, "text": str(error), "where": place})

    def besides(self, error: dict[str, Any] | None) -> list[dict[str, Any]]:
        """Those that are not part of the error that ended the script, each once."""
        last = error["text"] if error else ""
        found = [noted for noted in self._noted if noted["text"] not in last and noted["where"]]
        return [noted for number, noted in enumerate(found) if noted not in found[:number]]


def describe_error(error: BaseException, request: Request) -> dict[str, Any]:
    """An exception as plain data: its type and text, the user's frames from the outermost, and the operands of the last line."""
    frames = []
    name = ""
    for frame, line in traceback.walk_tb(error.__traceback__):
        name = frame.f_code.co_filename
        if is_user_file(name, request):
            frames.append((frame, line))
    where = []
    for frame, line in frames:
        name = frame.f_code.co_filename
        if request.source and name == request.script:
            text = Path(request.source).read_text(encoding="utf-8").splitlines()[line - 1 : line]
            source = text[0] if text else ""
        else:
            source = linecache.getline(name, line)
        where.append(_place(frame, line) | {"source": source.strip()})
    operands: list[dict[str, Any]] = []
    if frames:
        try:
            operands = _operands_of_line(*frames[-1], str(where[-1]["source"]))
        except Exception:
            operands = []
    if not where and isinstance(error, SyntaxError):
        where = [
            {"file": error.filename or "", "line": error.lineno or 0, "in": "", "source": (error.text or "").strip()}
        ]
    return {
        "type": type(error).__name__,
        "text": str(error),
        "where": where,
        "operands": operands,
        "own": bool(name) and is_user_file(name, request),  # it was raised by the user's code
        "at": time.monotonic(),  # of the machine: processes can be compared
        "lacks": lacks_kernel(str(error)),
        "missing": error.name if isinstance(error, ModuleNotFoundError) else None,
    }


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


def _operands_of_line(frame: Any, line: int, source: str) -> list[dict[str, Any]]:
    """The tensors and modules that a line names, with where they are."""
    import torch

    tree = None
    for text in (source, source.rstrip(":") + ": pass", source.rstrip(",") + ")", source + ")", "(" + source):
        try:
            tree = ast.parse(text)
            break
        except SyntaxError:
            continue
    named: dict[str, ast.expr] = {}
    if tree is not None:
        for node in ast.walk(tree):
            if isinstance(node, (ast.Name, ast.Attribute, ast.Subscript)) and isinstance(node.ctx, ast.Load):
                named.setdefault(ast.unparse(node), node)
    found = []
    for name, node in named.items():
        value = _evaluate(frame, node)
        if isinstance(value, (tuple, list)) and value and all(isinstance(part, torch.Tensor) for part in value):
            what = f"{type(value).__name__} of {len(value)} tensors"
            found.append(_operand(name, what, value) | _origin(value[0]))
        elif isinstance(value, torch.Tensor):
            found.append(_operand(name, f"{str(value.dtype)[6:]} {list(value.shape)}", [value]) | _origin(value))
        elif isinstance(value, torch.nn.Module):
            tensors = [*value.parameters(), *value.buffers()]
            if tensors:
                found.append(_operand(name, type(value).__name__, tensors))
    return found


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
