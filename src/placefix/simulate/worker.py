"""Run one script in this process, on the simulated machine or a plain one, and write a report.

The process is a fork of the server's; the report is a JSON file. It ends with os._exit: effects of the
interpreter's teardown on relabelled tensors are not part of the result.
"""

from __future__ import annotations

import contextlib
import importlib
import json
import linecache
import os
import sys
import traceback
import types
from importlib.util import decode_source
from pathlib import Path
from typing import TYPE_CHECKING, Any

from placefix.simulate import nvidia_smi
from placefix.simulate.culprit import place_name
from placefix.simulate.failures import SIMULATOR_FOLDER, CaughtErrors, describe_error, script_frame
from placefix.simulate.final_state import final_state
from placefix.simulate.launcher import launch_processes
from placefix.simulate.rank_watch import RankWatch
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
    _ProcessReport(request).install_hooks()
    _tensor_origins(request).__enter__()  # until the process ends


class _ProcessReport:
    """The report of a process that a simulated script started."""

    def __init__(self, request: Request) -> None:
        self._request = request
        self._watch = _install_hooks(request)
        self._caught = CaughtErrors(request)
        self._watch.rank = RankWatch(request)
        self._watch.rank.install()
        self._report: dict[str, Any] = {"rank": os.environ.get("RANK", ""), "pid": os.getpid()}

    def record(self, error: BaseException) -> None:
        """Record the error that ends the process."""
        self._report["error"] = describe_error(error, self._request)

    def finish(self) -> None:
        """Write the report."""
        self._report["steps"] = self._watch.steps
        self._report["autocast"] = self._watch.has_autocast
        self._report["group"] = self._watch.rank.report()
        try:
            self._report.update(final_state(self._watch))
        except Exception as error:  # the process group of a sharded module may be gone
            self._report["state_error"] = repr(error)
        self._report["caught"] = self._caught.besides(self._report.get("error"))
        _write_report(self._report, f"{self._request.report}.{os.getpid()}")

    def install_hooks(self) -> None:
        """Write the report when the process ends, however it was started."""
        import atexit
        from multiprocessing import util

        original = sys.excepthook

        def record_uncaught(kind: Any, error: BaseException, trace: Any) -> None:
            """Replaces sys.excepthook: records the error."""
            if isinstance(error, EnoughSteps):
                self._report["status"] = "stopped"
                self.finish()
                sys.stdout.flush()
                sys.stderr.flush()
                os._exit(0)  # for what started it, this process is done
            self.record(error)
            original(kind, error, trace)

        sys.excepthook = record_uncaught
        atexit.register(self.finish)
        # multiprocessing catches the exceptions of its children, and a child of its leaves without atexit.
        _watch_process_errors(self.record)
        util.Finalize(None, self.finish, exitpriority=100)
        spawn: Any = sys.modules.get("torch.multiprocessing.spawn")
        if spawn is not None:
            self._watch_spawned_ranks(spawn)

    def _watch_spawned_ranks(self, spawn: Any) -> None:
        """Replace the wrapper of torch.multiprocessing.spawn, so that each process writes a report with its rank."""
        wrap = spawn._wrap

        def wrapped(fn: Any, i: int, args: Any, error_file: Any) -> None:
            """Replaces torch.multiprocessing's wrapper."""

            def watched(*a: Any) -> Any:
                """Run the function with its error recorded."""
                try:
                    return fn(*a)
                except EnoughSteps:
                    return None
                except Exception as error:
                    self.record(error)
                    self.finish()
                    raise

            self._report["rank"] = i
            wrap(watched, i, args, error_file)

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
    make = optimizer.Optimizer.__init__

    def make_optimizer(self: Any, *arguments: Any, **options: Any) -> None:
        """Replaces Optimizer.__init__: notes the place."""
        make(self, *arguments, **options)
        place = script_frame(sys._getframe(1), request)
        if place is not None:
            watch.made[id(self)] = place_name(place, request)

    optimizer.Optimizer.__init__ = make_optimizer
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

    _enter_environment(request)
    watch = _install_hooks(request, steps)
    caught = CaughtErrors(request)
    _watch_process_errors(
        lambda error: _write_report({"error": describe_error(error, request)}, f"{request.report}.{os.getpid()}")
    )
    if request.stub_data:
        from placefix.simulate import fake_datasets

        fake_datasets.install_fake_datasets()
    report = _run_main(request)
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


def _enter_environment(request: Request) -> None:
    """The working directory, arguments, paths and commands of the script."""
    os.chdir(request.folder)
    sys.argv = [request.script, *request.arguments]
    is_module = request.module or request.launcher.startswith("-m ")
    sys.path[0:0] = [request.folder if is_module else str(Path(request.launcher or request.script).parent)]
    os.environ[ENVIRONMENT] = request.to_json()
    package = str(Path(__file__).parents[2])
    paths = os.environ.get("PYTHONPATH", "").split(os.pathsep)
    if request.copied_from:
        os.environ["PWD"] = request.folder
        sys.path[:] = [path_in_copy(path, request) for path in sys.path]
        paths = [path_in_copy(path, request) for path in paths]
    os.environ["PYTHONPATH"] = os.pathsep.join([_SITE, package, *filter(None, paths)])
    if request.devices:
        nvidia_smi.install_command(request)


def path_in_copy(path: str, request: Request) -> str:
    """The path of a folder of modules in the copy of the working directory; the path itself if it is not there."""
    original = request.copied_from
    if path != original and not path.startswith(os.path.join(original, "")):
        return path
    copied = request.folder + path[len(original) :]
    return copied if os.path.realpath(copied).startswith(request.folder) else path


def _run_main(request: Request) -> dict[str, Any]:
    """Run the script as `__main__`, or a process of it for each rank; returns the report: its status, and the error that ended it."""
    text = Path(request.source or request.script).read_bytes()
    main = _main_module(request)
    try:
        with _tensor_origins(request):
            if request.source:  # TorchScript and tracebacks read the lines of a function: those of the text that runs
                lines = decode_source(text).splitlines(keepends=True)
                linecache.cache[request.script] = (len(text), None, lines, request.script)
            if request.processes:
                launch_processes(request)
            elif request.launcher:
                _run_launcher(request)
            else:
                if main.__package__:
                    importlib.import_module(main.__package__)
                exec(compile(text, request.script, "exec", dont_inherit=True), main.__dict__)
    except EnoughSteps:
        return {"status": "stopped"}
    except SystemExit as stop:
        if stop.code not in (None, 0):
            return {"status": "exited", "error": {"type": "SystemExit", "text": str(stop.code), "where": []}}
    except BaseException as error:
        if not request.quiet:
            traceback.print_exc()
        return {"status": "failed", "error": describe_error(error, request), "traceback": traceback.format_exc()}
    return {"status": "clean"}


def _run_launcher(request: Request) -> None:
    """Run the program that starts the script."""
    import runpy

    option, _, module = request.launcher.partition(" ")
    sys.argv[0] = module if option == "-m" else request.launcher
    if option == "-m":
        runpy.run_module(module, run_name="__main__", alter_sys=True)
    else:
        runpy.run_path(request.launcher, run_name="__main__")


def _main_module(request: Request) -> types.ModuleType:
    """A new module `__main__` for the script."""
    main = types.ModuleType("__main__")
    main.__dict__.update(__file__=request.script, __builtins__=__builtins__)
    if request.module:
        is_package = Path(request.script).name == "__main__.py"
        main.__package__ = request.module if is_package else request.module.rpartition(".")[0]
    if request.script.endswith(".ipynb"):
        main.__dict__.update(display=print, get_ipython=lambda *_: None)
    sys.modules["__main__"] = main
    return main


def _tensor_origins(request: Request) -> contextlib.AbstractContextManager[Any]:
    """Notes on tensors where they are made and moved, if the request asks for them."""
    if not request.trace:
        return contextlib.nullcontext()
    from placefix.simulate.tensor_origins import TensorOrigins

    return TensorOrigins(lambda: script_frame(sys._getframe(3), request))


def _write_report(report: dict[str, Any], path: str) -> None:
    unfinished = Path(path).with_name(f"unfinished.{os.getpid()}")  # the process may be killed while it writes
    unfinished.write_text(json.dumps(report), encoding="utf-8")
    unfinished.replace(path)
