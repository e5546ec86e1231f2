"""Run one script in this process, on the simulated machine or a plain one, and write a report.

The process is a fork of the server's; the report is a JSON file. It ends with os._exit: effects of the
interpreter's teardown on relabelled tensors are not part of the result.
"""

from __future__ import annotations

import ast
import ctypes
import gc
import hashlib
import importlib
import json
import linecache
import os
import shlex
import socket
import struct
import subprocess
import sys
import threading
import time
import traceback
import types
from pathlib import Path
from typing import TYPE_CHECKING, Any

from placefix.simulate.request import ENVIRONMENT, Request

if TYPE_CHECKING:
    from collections.abc import Callable

_ROOM = str(Path(__file__).parent) + os.sep
_SITE = _ROOM + "site"


class EnoughSteps(BaseException):
    """The requested number of optimizer steps has been made."""


class StepWatcher:
    """Records the optimizers, modules and steps of a run, by hooks of torch.optim.

    limit: the number of steps after which the script stops. counter: 8 bytes that get the number of steps.
    """

    def __init__(self, limit: int | None, counter: Any = None) -> None:
        self.limit = limit
        self.counter = counter
        self.steps = 0
        self.has_autocast = False  # whether the script enabled autocast for a device
        self.optimizers: list[Any] = []
        self.modules: list[Any] = []
        self.before: dict[int, Any] = {}

    def before_step(self, optimizer: Any, args: Any, options: Any) -> None:
        """Remember the parameters as they were before the first step."""
        if any(optimizer is known for known in self.optimizers):
            return
        self.optimizers.append(optimizer)
        mine = {id(p) for p in _parameters(optimizer)}
        for parameter in _parameters(optimizer):
            self.before[id(parameter)] = parameter.detach().clone()
        for module in root_modules():
            if not any(module is known for known in self.modules) and any(id(p) in mine for p in module.parameters()):
                self.modules.append(module)

    def after_step(self, optimizer: Any, args: Any, options: Any) -> None:
        """Count, and stop when it is enough."""
        self.steps += 1
        if self.counter is not None:
            self.counter[:8] = struct.pack("q", self.steps)
        if self.limit is not None and self.steps >= self.limit:
            raise EnoughSteps


def _parameters(optimizer: Any) -> list[Any]:
    return [parameter for group in optimizer.param_groups for parameter in group["params"]]


def root_modules() -> list[Any]:
    """The modules that are part of no other."""
    import torch

    modules = [thing for thing in gc.get_objects() if issubclass(type(thing), torch.nn.Module)]
    inner = {id(child) for module in modules for child in module._modules.values() if child is not None}
    return [module for module in modules if id(module) not in inner and hasattr(module, "_parameters")]


def join_simulation() -> None:
    """Enter the simulation in a process that a simulated script started."""
    request = Request.from_json(os.environ[ENVIRONMENT])
    from placefix.simulate import installation

    if request.devices == 0:
        import torch  # noqa: F401
    else:
        installation.install(request.devices, shared_numbers=request.shared_numbers).memory.limit(request.memory)
    watch = _install_hooks(request)
    caught = CaughtErrors(request)
    import atexit

    report: dict[str, Any] = {"rank": os.environ.get("RANK", ""), "pid": os.getpid()}
    original = sys.excepthook

    def died(kind: Any, error: BaseException, trace: Any) -> None:
        """Replaces sys.excepthook: records the error."""
        if isinstance(error, EnoughSteps):
            return
        report["error"] = _describe_error(error, request)
        original(kind, error, trace)

    sys.excepthook = died

    def finish() -> None:
        """Write the report of this process."""
        report["steps"] = watch.steps
        try:
            report.update(_final_state(watch))
        except Exception as error:  # the process group of a sharded module may be gone
            report["state_error"] = repr(error)
        report["caught"] = caught.besides(report.get("error"))
        _write_report(report, f"{request.report}.{os.getpid()}")

    atexit.register(finish)
    # multiprocessing catches the exceptions of its children, and a child of its leaves without atexit.
    from multiprocessing import util

    _watch_process_errors(lambda error: report.update(error=_describe_error(error, request)))
    util.Finalize(None, finish, exitpriority=100)
    spawn: Any = sys.modules.get("torch.multiprocessing.spawn")
    if spawn is not None:
        wrap = spawn._wrap

        def wrapped(fn: Any, i: int, args: Any, error_file: Any) -> None:
            """Replaces torch.multiprocessing's wrapper: each process writes a report."""

            def noted(*a: Any) -> Any:
                """Run the function with its error recorded."""
                try:
                    return fn(*a)
                except EnoughSteps:
                    return None
                except Exception as error:
                    report["error"] = _describe_error(error, request)
                    report["rank"] = i
                    finish()
                    raise

            report["rank"] = i
            wrap(noted, i, args, error_file)

        spawn._wrap = wrapped


def _watch_process_errors(note: Callable[[BaseException], None]) -> None:
    """Call `note` with the exception that ends the function of a process of multiprocessing, in that process."""
    from multiprocessing import process

    run = process.BaseProcess.run

    def watched(self: Any) -> None:
        """Run a process's target with its error recorded."""
        try:
            run(self)
        except EnoughSteps:
            pass
        except SystemExit:
            raise
        except BaseException as error:
            note(error)
            raise

    setattr(process.BaseProcess, "run", watched)  # noqa: B010


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


def _install_hooks(request: Request, counter: Any = None) -> StepWatcher:
    import torch

    # The fast path needs kernels for nested tensors; without it the encoder computes the same, padded places aside.
    torch.backends.mha.set_fastpath_enabled(False)
    watch = StepWatcher(request.steps, counter)
    from torch.optim import optimizer

    enter = torch.amp.autocast_mode.autocast.__enter__

    def enter_autocast(self: Any) -> Any:
        """Replaces autocast.__enter__: notes that numbers may differ from those of the CPU."""
        watch.has_autocast = watch.has_autocast or (self._enabled and self.device == "cuda")
        return enter(self)

    torch.amp.autocast_mode.autocast.__enter__ = enter_autocast
    optimizer.register_optimizer_step_pre_hook(watch.before_step)
    optimizer.register_optimizer_step_post_hook(watch.after_step)
    torch.set_num_threads(request.threads)
    if request.plain_optimizers:
        from placefix.simulate import foreach_off

        foreach_off.disable_foreach()
    return watch


def run_script(request: Request, steps: Any = None) -> None:
    """Run the script and write the report. Does not return. steps: 8 bytes that get the number of optimizer steps."""
    import torch

    os.chdir(request.folder)
    sys.argv = [request.script, *request.arguments]
    sys.path[0:0] = [request.folder if request.module else str(Path(request.script).parent)]
    os.environ[ENVIRONMENT] = request.to_json()
    package = str(Path(__file__).parents[2])
    os.environ["PYTHONPATH"] = os.pathsep.join([_SITE, package, *filter(None, [os.environ.get("PYTHONPATH")])])
    if request.devices:
        _install_nvidia_smi(request)
    watch = _install_hooks(request, steps)
    caught = CaughtErrors(request)
    _watch_process_errors(
        lambda error: _write_report({"error": _describe_error(error, request)}, f"{request.report}.{os.getpid()}")
    )
    if request.stub_data:
        from placefix.simulate import fake_datasets

        fake_datasets.install_fake_datasets()
    text = Path(request.source or request.script).read_bytes()
    module = types.ModuleType("__main__")
    package = request.module if Path(request.script).name == "__main__.py" else request.module.rpartition(".")[0]
    module.__dict__.update(__file__=request.script, __builtins__=__builtins__)
    if request.module:
        module.__dict__["__package__"] = package
    if request.script.endswith(".ipynb"):
        module.__dict__.update(display=print, get_ipython=lambda *_: None)
    sys.modules["__main__"] = module
    report: dict[str, Any] = {"status": "clean"}
    mode = None
    if request.trace:
        from placefix.simulate.tensor_origins import TensorOrigins

        mode = TensorOrigins(lambda: script_frame(sys._getframe(3), request))
        mode.__enter__()
    try:
        if request.processes:
            launch_processes(request)
        else:
            if request.module and package:
                importlib.import_module(package)
            code = compile(text, request.script, "exec", dont_inherit=True)
            exec(code, module.__dict__)
    except EnoughSteps:
        report["status"] = "stopped"
    except SystemExit as stop:
        code_ = stop.code
        if code_ not in (None, 0):
            report = {"status": "exited", "error": {"type": "SystemExit", "text": str(code_), "where": []}}
    except BaseException as error:
        report = {"status": "failed", "error": _describe_error(error, request), "traceback": traceback.format_exc()}
        if not request.quiet:
            traceback.print_exc()
    if mode is not None:
        mode.__exit__(None, None, None)
    try:
        report["steps"] = watch.steps
        report["cuda"] = bool(torch.cuda.is_initialized())
        report["autocast"] = watch.has_autocast
        report["caught"] = caught.besides(report.get("error"))
        report.update(_final_state(watch))
    except BaseException as error:  # the verdict is valid without the final state
        report["state_error"] = repr(error)
    _write_report(report, request.report)
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(0)


def _install_nvidia_smi(request: Request) -> None:
    """Put a command `nvidia-smi` that knows the simulated devices first in the search path of programs."""
    folder = Path(request.report).parent / "bin"
    folder.mkdir()
    command = folder / "nvidia-smi"
    command.write_text(f'#!/bin/sh\nexec {shlex.quote(sys.executable)} -m placefix.simulate.nvidia_smi "$@"\n')
    command.chmod(0o755)
    os.environ["PATH"] = os.pathsep.join([str(folder), os.environ.get("PATH", "")])


def launch_processes(request: Request) -> None:
    """Run the script once for each rank, with the environment that torchrun gives; raises RankFailedError if one fails."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    command = [sys.executable, *(["-m", request.module] if request.module else [request.script]), *request.arguments]
    ranks = []
    for rank in range(request.processes):
        places = {"RANK": rank, "LOCAL_RANK": rank, "GROUP_RANK": 0, "ROLE_RANK": rank, "WORLD_SIZE": request.processes,
                  "LOCAL_WORLD_SIZE": request.processes, "ROLE_WORLD_SIZE": request.processes, "MASTER_PORT": port}  # fmt: skip
        environment = os.environ | {name: str(value) for name, value in places.items()} | {"MASTER_ADDR": "127.0.0.1"}
        process = subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        for source, target in ((process.stdout, sys.stdout), (process.stderr, sys.stderr)):
            threading.Thread(target=_copy_lines, args=(source, target, f"[{rank}] ")).start()
        ranks.append(process)
    codes = [process.poll() for process in ranks]
    while None in codes and not any(codes):
        time.sleep(0.02)
        codes = [process.poll() for process in ranks]
    time.sleep(0.5 if None in codes else 0)  # the others may fail for the same reason, and say so
    for process in ranks:
        process.kill()
        process.wait()
    failed = {rank: code for rank, code in enumerate(codes) if code}
    if failed:
        raise RankFailedError(", ".join(f"rank {rank} ended with exit code {code}" for rank, code in failed.items()))


class RankFailedError(RuntimeError):
    """A process of `--nproc` failed; its own report has the reason."""


def _copy_lines(source: Any, target: Any, prefix: str) -> None:
    """Copy lines with a prefix until the source ends."""
    for line in source:
        target.write(f"{prefix}{line}")
        target.flush()


def _write_report(report: dict[str, Any], path: str) -> None:
    Path(path).write_text(json.dumps(report), encoding="utf-8")


# The failure: the script's frame, and the subject of its line.


def _describe_error(error: BaseException, request: Request) -> dict[str, Any]:
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


# The state at the end: device of each object, checksums, and faults that raise no error.


def _final_state(watch: StepWatcher) -> dict[str, Any]:
    import torch

    modules = list(watch.modules)
    for module in root_modules():
        if any(True for _ in module.parameters()) and not any(module is known for known in modules):
            modules.append(module)
    table, sums = [], {}
    for number, module in enumerate(modules):
        places: dict[str, int] = {}
        for tensor in [*module.parameters(), *module.buffers()]:
            places[str(tensor.device)] = places.get(str(tensor.device), 0) + 1
        if not places:
            continue
        table.append({"what": type(module).__name__, "kind": "module", "places": places})
        if number < len(watch.modules):
            total, digest, weights = 0.0, hashlib.sha256(), hashlib.sha256()
            learned = {name for name, _ in module.named_parameters()}
            for name, tensor in module.state_dict().items():
                if isinstance(tensor, torch.Tensor) and tensor.layout is torch.strided:
                    plain = tensor.detach().cpu()
                    total += float(plain.double().abs().sum()) if not plain.is_complex() else 0.0
                    plain = plain.contiguous()
                    values = ctypes.string_at(plain.data_ptr(), plain.nbytes) if plain.nbytes else b""
                    digest.update(values)
                    # Ranks agree on their parameters; running statistics depend on the last batch of each rank.
                    weights.update(values if name in learned else b"")
            key = f"{type(module).__name__}#{number}"
            sums[key] = {
                "sum": total,
                "sha": digest.hexdigest()[:16],
                "weights": weights.hexdigest()[:16],
                "ddp": type(module).__name__ == "DistributedDataParallel",
            }
    for optimizer in watch.optimizers:
        places = {}
        for parameter in _parameters(optimizer):
            places[str(parameter.device)] = places.get(str(parameter.device), 0) + 1
        table.append({"what": type(optimizer).__name__, "kind": "optimizer", "places": places})
        states: dict[str, int] = {}
        for state in optimizer.state.values():
            for value in state.values() if isinstance(state, dict) else ():
                if isinstance(value, torch.Tensor) and value.dim():
                    states[str(value.device)] = states.get(str(value.device), 0) + 1
        if states:
            table.append({"what": type(optimizer).__name__, "kind": "state", "places": states})
    return {"table": table, "sums": sums, "silent": _silent_errors(watch, modules)}


def _silent_errors(watch: StepWatcher, modules: list[Any]) -> list[str]:
    """The training errors that raise nothing, one sentence each. modules: those of the script."""
    return [*_untrained_optimizers(watch, modules), *_unregistered_copies(watch)]


def _untrained_optimizers(watch: StepWatcher, modules: list[Any]) -> list[str]:
    """Optimizers whose parameters are not those of the model, or did not change."""
    import torch

    found = []
    owned = {id(p): (module, name, p) for module in modules for name, p in module.named_parameters()}
    stepped = {id(p) for optimizer in watch.optimizers for p in _parameters(optimizer)}
    for optimizer in watch.optimizers:
        parameters = [p for p in _parameters(optimizer) if p.requires_grad]
        name = type(optimizer).__name__
        strangers = [p for p in parameters if id(p) not in owned and p.grad is None]
        shapes = {
            tuple(p.shape)
            for p_id, (_, _, p) in owned.items()
            if p_id not in stepped and p.requires_grad and p.grad is not None
        }
        stale = [p for p in strangers if tuple(p.shape) in shapes]
        if stale:
            found.append(
                f"{name} holds {len(stale)} parameters that are no longer the model's: it trains copies left behind"
            )
        changed = [
            p for p in parameters
            if id(p) in watch.before and not torch.equal(p.detach().cpu(), watch.before[id(p)].cpu())
        ]  # fmt: skip
        with_grad = [p for p in parameters if p.grad is not None and bool(p.grad.detach().abs().sum() > 0)]
        if parameters and not changed and not stale and not with_grad and watch.steps:
            found.append(f"{name} changed none of its {len(parameters)} parameters")
    return found


def _unregistered_copies(watch: StepWatcher) -> list[str]:
    """Attributes of modules that are moved copies of a Parameter: `self.w = nn.Parameter(...).cuda()`."""
    import torch

    found = []
    stepped = {id(p) for optimizer in watch.optimizers for p in _parameters(optimizer)}
    seen = set()
    for thing in gc.get_objects():
        if not issubclass(type(thing), torch.nn.Module) or "_parameters" not in thing.__dict__:
            continue
        for name, value in list(thing.__dict__.items()):
            if isinstance(value, torch.Tensor) and value.grad_fn is not None and "ToCopy" in value.grad_fn.name():
                before = value.grad_fn.next_functions[0][0]
                if isinstance(getattr(before, "variable", None), torch.nn.Parameter):
                    key = (type(thing).__name__, name)
                    if key not in seen and id(before.variable) not in stepped:
                        seen.add(key)
                        found.append(
                            f"{key[0]}.{name} is a moved copy of a Parameter: it is not registered and not trained"
                        )
    return found
