"""The description of an error: the user's frames, and the tensors of the line that raised it."""

from __future__ import annotations

import ast
import linecache
import os
import sys
import traceback
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from placefix.simulate.request import Request

_ROOM = str(Path(__file__).parent) + os.sep


def script_frame(frame: Any, request: Request) -> dict[str, Any] | None:
    """The innermost frame of the user's code at or above a frame, None if there is none."""
    while frame is not None:
        name = frame.f_code.co_filename
        if is_user_file(name, request):
            return {"file": name, "line": frame.f_lineno, "in": frame.f_code.co_name}
        frame = frame.f_back
    return None


def is_user_file(name: str, request: Request) -> bool:
    """Whether a file is the script, or below its folder or the working directory and not installed."""
    if name == request.script:
        return True
    folders = (str(Path(request.script).parent), str(Path(request.folder).resolve()))
    return any(name.startswith(folder.rstrip(os.sep) + os.sep) for folder in folders) and (
        "site-packages" not in name and not name.startswith(_ROOM)
    )


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
        where.append({"file": name, "line": line, "in": frame.f_code.co_name, "source": source.strip()})
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
        "missing": error.name if isinstance(error, ModuleNotFoundError) else None,
    }


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
            devices = sorted({str(part.device) for part in value})
            what = f"{type(value).__name__} of {len(value)} tensors"
            found.append(
                {
                    "name": name,
                    "what": what,
                    "device": ", ".join(devices),
                    "made": getattr(value[0], "placefix_made", None),
                    "moved": getattr(value[0], "placefix_moved", None),
                }
            )
        elif isinstance(value, torch.Tensor):
            entry = {"name": name, "what": f"{str(value.dtype)[6:]} {list(value.shape)}", "device": str(value.device)}
            made, moved = getattr(value, "placefix_made", None), getattr(value, "placefix_moved", None)
            found.append(entry | {"made": made, "moved": moved})
        elif isinstance(value, torch.nn.Module):
            devices = sorted({str(p.device) for p in [*value.parameters(), *value.buffers()]})
            if devices:
                found.append({"name": name, "what": type(value).__name__, "device": ", ".join(devices)})
    return found


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
