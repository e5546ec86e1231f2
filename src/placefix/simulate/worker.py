"""Run one script in this process, on the simulated machine or a plain one, and write a report.

The process is a fork of the server's; the report is a JSON file. It ends with os._exit: effects of the
interpreter's teardown on relabelled tensors are not part of the result.
"""

from __future__ import annotations

import importlib
import json
import os
import sys
import traceback
import types
from pathlib import Path
from typing import TYPE_CHECKING, Any

from placefix.simulate import nvidia_smi
from placefix.simulate.failures import SIMULATOR_FOLDER, CaughtErrors, describe_error, script_frame
from placefix.simulate.final_state import final_state
from placefix.simulate.launcher import launch_processes
from placefix.simulate.request import ENVIRONMENT, Request
from placefix.simulate.step_watcher import EnoughSteps, StepWatcher

if TYPE_CHECKING:
    from collections.abc import Callable

_SITE = SIMULATOR_FOLDER + "site"


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
        report["error"] = describe_error(error, request)
        original(kind, error, trace)

    sys.excepthook = died

    def finish() -> None:
        """Write the report of this process."""
        report["steps"] = watch.steps
        try:
            report.update(final_state(watch))
        except Exception as error:  # the process group of a sharded module may be gone
            report["state_error"] = repr(error)
        report["caught"] = caught.besides(report.get("error"))
        _write_report(report, f"{request.report}.{os.getpid()}")

    atexit.register(finish)
    # multiprocessing catches the exceptions of its children, and a child of its leaves without atexit.
    from multiprocessing import util

    _watch_process_errors(lambda error: report.update(error=describe_error(error, request)))
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
                    report["error"] = describe_error(error, request)
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


def _install_hooks(request: Request, counter: Any = None) -> StepWatcher:
    import torch

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
        nvidia_smi.install_command(request)
    watch = _install_hooks(request, steps)
    caught = CaughtErrors(request)
    _watch_process_errors(
        lambda error: _write_report({"error": describe_error(error, request)}, f"{request.report}.{os.getpid()}")
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
        report = {"status": "failed", "error": describe_error(error, request), "traceback": traceback.format_exc()}
        if not request.quiet:
            traceback.print_exc()
    if mode is not None:
        mode.__exit__(None, None, None)
    try:
        report["steps"] = watch.steps
        report["cuda"] = bool(torch.cuda.is_initialized())
        report["autocast"] = watch.has_autocast
        report["caught"] = caught.besides(report.get("error"))
        report.update(final_state(watch))
    except BaseException as error:  # the verdict is valid without the final state
        report["state_error"] = repr(error)
    _write_report(report, request.report)
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(0)


def _write_report(report: dict[str, Any], path: str) -> None:
    Path(path).write_text(json.dumps(report), encoding="utf-8")
