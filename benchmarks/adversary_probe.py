"""What a program holds when it ends: the device and a checksum of every tensor that its names, and those of its functions, reach.

It runs beside the program in the simulator's process, where no rule sees it: `watch` before its first line, `tell` after its
last one. A function's names are read when it returns. What torch.load gave is not told until it is moved: where a state
dict lies that is on its way into a module is nobody's business (PF405 says so on purpose).
"""

from __future__ import annotations

import io
import json
import os
import sys
import traceback
import types
from pathlib import Path
from typing import Any

import torch

_LOADED: dict[int, Any] = {}
_CALLS: dict[str, int] = {}
_SEEN: dict[str, list[Any]] = {}
_LIMIT = 4000  # rows; a loop that calls a function a thousand times tells nothing new
_FOLDER = ""
_LOAD = torch.load


def watch(folder: str) -> None:
    """Note what functions of files in this folder hold when they return."""
    global _FOLDER  # noqa: PLW0603
    _FOLDER = folder + os.sep
    for notes in (_LOADED, _CALLS, _SEEN):
        notes.clear()
    if torch.load is _LOAD:
        torch.load = _noted_load
    sys.settrace(_called)


def _noted_load(*args: Any, **options: Any) -> Any:
    value = _LOAD(*args, **options)
    _keep(value)
    return value


def _keep(value: Any) -> None:
    if isinstance(value, torch.Tensor):
        _LOADED[id(value)] = value
    elif isinstance(value, dict):
        for item in value.values():
            _keep(item)
    elif isinstance(value, (list, tuple)):
        for item in value:
            _keep(item)


def _called(frame: Any, event: str, value: Any) -> Any:
    """Told of every call; of those of the program's own functions the end is wanted."""
    code = frame.f_code
    if not code.co_filename.startswith(_FOLDER) or code.co_name == "<module>" or code.co_name.startswith("<"):
        return None
    frame.f_trace_lines = False
    return _returned


def _returned(frame: Any, event: str, value: Any) -> Any:
    if event != "return":
        return _returned
    sys.settrace(None)
    try:
        code = frame.f_code
        name = f"{os.path.basename(code.co_filename)}:{code.co_qualname}"
        number = _CALLS[name] = _CALLS.get(name, 0) + 1
        if number <= 20:
            for local, held in list(frame.f_locals.items()):
                _tell(f"{name}#{number}.{local}", held, set(), 0)
            _tell(f"{name}#{number}<return>", value, set(), 0)
    finally:
        sys.settrace(_called)
    return None


def _tell(path: str, value: Any, seen: set[int], depth: int) -> None:
    if depth > 6 or len(_SEEN) > _LIMIT:
        return
    if isinstance(value, torch.Tensor):
        if id(value) not in _LOADED:
            _SEEN[path] = [str(value.device), _checksum(value)]
        return
    if value is None or isinstance(value, (str, bytes, int, float, complex, type)) or id(value) in seen:
        return
    seen = seen | {id(value)}
    if isinstance(value, torch.nn.Module):
        for name, parameter in value.named_parameters():
            _tell(f"{path}:{name}", parameter, seen, depth + 1)
        for name, buffer in value.named_buffers():
            _tell(f"{path}:{name}", buffer, seen, depth + 1)
        _SEEN[f"{path}:parameters"] = ["", len(list(value.parameters()))]
        hidden = {k: v for k, v in vars(value).items() if not k.startswith("_") and k != "training"}
        for name, held in hidden.items():
            _tell(f"{path}.{name}", held, seen, depth + 1)
        for name, child in value.named_children():
            for key, held in vars(child).items():
                if not key.startswith("_") and key != "training":
                    _tell(f"{path}.{name}.{key}", held, seen, depth + 2)
        return
    if isinstance(value, torch.optim.Optimizer):
        for number, group in enumerate(value.param_groups):
            for index, parameter in enumerate(group["params"]):
                _tell(f"{path}:group{number}[{index}]", parameter, seen, depth + 1)
                for key, held in sorted(value.state.get(parameter, {}).items()):
                    if isinstance(held, torch.Tensor) and held.dim():
                        _tell(f"{path}:group{number}[{index}].{key}", held, seen, depth + 1)
        return
    if isinstance(value, dict):
        for key, held in list(value.items()):
            if isinstance(key, (str, int)):
                _tell(f"{path}[{key!r}]", held, seen, depth + 1)
    elif isinstance(value, (list, tuple)):
        for index, held in enumerate(value):
            _tell(f"{path}[{index}]", held, seen, depth + 1)
    elif _is_own(type(value)) and hasattr(value, "__dict__"):
        for key, held in list(vars(value).items()):
            _tell(f"{path}.{key}", held, seen, depth + 1)


def _is_own(kind: type) -> bool:
    """Whether a class is the program's own, or a mere holder of names."""
    home = kind.__module__
    return home in ("__main__", "types", "argparse") or (home in sys.modules and _is_file(sys.modules[home]))


def _is_file(module: Any) -> bool:
    return str(getattr(module, "__file__", "") or "").startswith(_FOLDER)


def _checksum(tensor: torch.Tensor) -> Any:
    plain = tensor.detach().cpu()
    if plain.is_complex() or plain.is_sparse or plain.is_quantized:
        return None
    return round(float(plain.double().sum()), 4)


def tell(names: dict[str, Any], path: str) -> None:
    """Note what these names, and those of the program's other files, reach, and write it if there is a path. To be called
    once, at the end."""
    sys.settrace(None)
    for name, value in list(names.items()):
        if not name.startswith("__"):
            _tell(name, value, set(), 0)
    for other, module in list(sys.modules.items()):
        if other != "__main__" and _is_file(module):
            for name, value in list(vars(module).items()):
                if not name.startswith("__"):
                    _tell(f"{other}.{name}", value, set(), 0)
    if path:
        Path(path).write_text(json.dumps(_SEEN), encoding="utf-8")


def several(jobs: str, report: str) -> None:
    """Run programs one after another in this process; what each did goes to `report`. The state that programs are known to
    leave behind is set back; who finds harm here has to run that program alone."""
    rows = []
    environment, arguments, paths, streams = dict(os.environ), list(sys.argv), list(sys.path), (sys.stdout, sys.stderr)
    random = torch.get_rng_state()
    for job in json.loads(Path(jobs).read_text(encoding="utf-8")):
        folder = job["folder"]
        module = types.ModuleType("__main__")
        module.__dict__.update(__file__=f"{folder}/main.py", __builtins__=__builtins__)
        sys.modules["__main__"] = module
        sys.argv[:] = ["main.py", *job["arguments"]]
        sys.path[:] = [folder, *paths]
        os.chdir(folder)
        out = io.StringIO()
        error, function = "", ""
        sys.stdout, sys.stderr = out, io.StringIO()
        watch(folder)
        try:
            exec(compile(job["text"], f"{folder}/main.py", "exec", dont_inherit=True), module.__dict__)
        except SystemExit as stop:
            error = f"SystemExit: {stop.code}" if stop.code else ""
        except Exception as failure:
            error = f"{type(failure).__name__}: {(str(failure).splitlines() or [''])[0][:160]}"
            frames = [f for f, _ in traceback.walk_tb(failure.__traceback__) if f.f_code.co_filename.startswith(folder)]
            function = frames[-1].f_code.co_name if frames else ""
        sys.settrace(None)
        if not error:
            tell(module.__dict__, "")
        sys.stdout, sys.stderr = streams
        rows.append([error, function, out.getvalue(), dict(_SEEN) if not error else {}])
        for name in [name for name, other in sys.modules.items() if _is_file(other)]:
            del sys.modules[name]
        for name in set(os.environ) - set(environment):
            del os.environ[name]
        os.environ.update(environment)
        sys.argv[:] = arguments
        torch.set_rng_state(random)
        torch.set_grad_enabled(True)
        if torch.cuda.is_available() and torch.cuda.is_initialized():
            torch.cuda.set_device(0)
            torch.cuda.manual_seed_all(0)
    sys.path[:] = paths
    Path(report).write_text(json.dumps(rows), encoding="utf-8")
