"""The command `placefix verify`. Imports no torch."""

from __future__ import annotations

import ast
import json
import os
import signal
import sys
import tempfile
import threading
import time
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from placefix.facts.program.device_values import device_of_word
from placefix.simulate.client import CannotJudgeError, Simulator
from placefix.simulate.fix_comparison import compare_fix
from placefix.simulate.folder_copy import DEFAULT_LIMIT
from placefix.simulate.installation import refused_system
from placefix.simulate.judgement import DEVICE_ERROR, UNKNOWN, Judgement, judge
from placefix.simulate.notebook_program import notebook_program
from placefix.simulate.program import Program, find_program, number_of_processes
from placefix.simulate.request import Request
from placefix.simulate.simulated_hardware import MAX_DEVICES
from placefix.simulate.torch_environment import SetupError, choose_python
from placefix.simulate.verify_output import describe_judgement, judgement_json
from placefix.source import SourceError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence


@dataclass(frozen=True)
class VerifyOptions:
    """The options of the command. memory: bytes of a device, 0 without a limit. timeout: seconds of one run.

    copy_limit: bytes of the working directory that each run gets a copy of, 0 to run in the directory itself.
    """

    fix: bool = False
    gpus: int | None = None
    idiom: str = "cuda"
    steps: int | None = None
    timeout: float = 300.0
    memory: int = 0
    processes: int = 0
    stub_data: bool = False
    unsafe: bool = False
    force: bool = False
    quiet: bool = False
    json: bool = False
    copy_limit: int = DEFAULT_LIMIT
    python: str | None = None  # the interpreter to run the script with


def verify(
    script: str, arguments: Sequence[str], module: str, options: VerifyOptions, write: Callable[[str], None]
) -> int:
    """Run the command; returns its exit code. module: run it as `python -m` does; `script` is not used then."""
    try:
        python = choose_python(options.python)
        program = find_program(script, module, arguments, python)
    except SetupError as error:
        return _usage_error(str(error))
    path, machines = program.script, choose_machines(program, arguments, options)
    request = Request(
        str(path.resolve()), list(arguments), os.getcwd(), steps=options.steps, timeout=options.timeout,
        stub_data=options.stub_data, memory=options.memory, processes=options.processes, module=program.module,
        launcher=program.launcher, stream=not options.quiet and not options.json, copy_limit=options.copy_limit,
    )  # fmt: skip
    starts_processes = program.launcher or options.processes
    if options.fix and starts_processes and not (options.copy_limit and path.resolve().is_relative_to(os.getcwd())):
        return _usage_error(
            "--fix with several processes needs a copy of the script: start in its folder, without --in-place"
        )
    with tempfile.TemporaryDirectory(prefix="placefix-") as folder:
        if path.suffix == ".ipynb":
            try:
                request = _request_with_text(request, path.read_bytes(), folder)
            except (SourceError, ValueError) as error:
                return _usage_error(f"{script}: {error}")
        name = f"{module or script} with {path}" if program.launcher else module or script
        return _run(name, request, machines, replace(options, python=python), write)


def _request_with_text(request: Request, text: bytes, folder: str) -> Request:
    """The request to run a text, kept in a folder, in the place of the script; of a notebook, the program of its cells.

    Raises SourceError or ValueError if the text is no notebook, and the script is one.
    """
    path = Path(folder) / "program.py"
    if not request.script.endswith(".ipynb"):
        path.write_bytes(text)
        return replace(request, source=str(path))
    program = notebook_program(text)
    path.write_text(program.text, encoding="utf-8")
    return replace(request, source=str(path), line_names=list(program.names), skipped_lines=list(program.skipped))


def _usage_error(text: str) -> int:
    """Report an error of the command line or of the file; returns the exit code."""
    from placefix.report.output_stream import printable

    print(f"error: {printable(text, terminal=True)}", file=sys.stderr)
    return UNKNOWN


def _run(
    name: str, request: Request, machines: Sequence[int], options: VerifyOptions, write: Callable[[str], None]
) -> int:
    """Run a request, and write what happens; returns the exit code."""
    out = _Output(write, as_json=options.json)
    out.line(f"This executes {name} on a SIMULATED machine (nothing is tested on a GPU).")
    refused = refused_system()
    try:
        if refused is not None:
            raise CannotJudgeError(refused)
        python = options.python or sys.executable
        if python != sys.executable:
            out.line(f"Python: {python}")
            out.data["python"] = python
        with _ended_by_sigterm(), Simulator(python=python, force=options.force) as simulator:
            if simulator.untried_torch is not None:
                out.line(f"torch {simulator.untried_torch}: not tried with this simulator; its self-test passed")
                out.data["untried_torch"] = simulator.untried_torch
            if options.fix:
                code = _verify_fix(simulator, request, machines, options, out)
            else:
                judgement = judge(simulator, request, machines, out.event)
                out.judgement("", judgement, request)
                code = judgement.verdict
    except CannotJudgeError as error:
        out.line(f"cannot be judged: {error}")
        out.data["reason"] = str(error)
        code = UNKNOWN
    out.finish(code)
    return code


def choose_machines(program: Program, arguments: Sequence[str], options: VerifyOptions) -> tuple[int, ...]:
    """The numbers of devices to run a script with: those of the options, or one and two, or as many as the script names or the launcher starts processes."""
    if options.gpus is not None:
        return (options.gpus,)
    processes = options.processes or (number_of_processes(arguments) if program.launcher else 0)
    needed = min(max(processes, named_devices(program.script.read_bytes())), MAX_DEVICES)
    return (needed,) if needed > 1 or processes else (1, 2)


def named_devices(source: bytes) -> int:
    """The least number of devices that has every index a script names: 4 for `"cuda:3"`, `.cuda(3)`, `device_ids=[0, 3]`."""
    try:
        tree = ast.parse(source)
    except (SyntaxError, ValueError):
        return 0
    found = [-1]
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            device = device_of_word(node.value)
            found += [device.index] if device is not None and device.index is not None else []
        elif isinstance(node, ast.Call):
            values = [keyword.value for keyword in node.keywords if keyword.arg == "device_ids"]
            if isinstance(node.func, ast.Attribute) and node.func.attr in ("cuda", "set_device"):
                values += node.args[:1]
            for value in values:
                parts = value.elts if isinstance(value, (ast.List, ast.Tuple)) else [value]
                found += [p.value for p in parts if isinstance(p, ast.Constant) and type(p.value) is int]
    return max(found) + 1


@contextmanager
def _ended_by_sigterm() -> Iterator[None]:
    """SIGTERM ends the command by an exception, so that the script ends as well."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)


class _Output:
    """Writes lines at once, or one JSON object at the end."""

    def __init__(self, write: Callable[[str], None], *, as_json: bool) -> None:
        self._write, self._as_json = write, as_json
        self.data: dict[str, Any] = {}
        self._half = {1: "", 2: ""}  # the last line of each stream, as far as it has come
        self._began = time.monotonic()
        self._has_progress = sys.stderr.isatty() and not as_json

    def line(self, text: str) -> None:
        """Write a line for people."""
        self._clear_progress()
        if not self._as_json:
            self._write(text)

    def event(self, event: dict[str, Any]) -> None:
        """Show the output of the script with a prefix, and the number of its steps on a terminal."""
        if event["event"] == "machine":
            self.line(f"with {event['devices']} simulated device{'s' if event['devices'] != 1 else ''}:")
        elif event["event"] == "output":
            *lines, self._half[event["stream"]] = (self._half[event["stream"]] + event["text"]).split("\n")
            for text in lines:
                self.line(f"  > {text}")
        elif self._has_progress:
            seconds = time.monotonic() - self._began
            print(f"\r{event['steps']} optimizer steps, {seconds:.0f} s", end="", file=sys.stderr, flush=True)

    def _clear_progress(self) -> None:
        if self._has_progress:
            print("\r\x1b[K", end="", file=sys.stderr, flush=True)

    def judgement(self, name: str, judgement: Judgement, request: Request) -> None:
        """Describe a judgement. name: its key in the JSON object, empty for the object itself."""
        for number, rest in self._half.items():
            if rest:
                self.line(f"  > {rest}")
                self._half[number] = ""
        for text in describe_judgement(judgement, request):
            self.line(text)
        if self._as_json:
            found = judgement_json(judgement, request)
            self.data.update(found if not name else {name: found})

    def finish(self, code: int) -> None:
        """Write the JSON object."""
        self._clear_progress()
        if self._as_json:
            print(json.dumps({**self.data, "exit_code": code}, indent=2))  # ASCII: nothing reaches a terminal unescaped


def _verify_fix(
    simulator: Simulator, request: Request, machines: Sequence[int], options: VerifyOptions, out: _Output
) -> int:
    """Run a script before and after the fixes of `apply`, and compare; returns the exit code."""
    import placefix
    from placefix.config import Options
    from placefix.engine import Changed, Failed, Skipped

    settings = Options(device_idiom=options.idiom, unsafe_fixes=options.unsafe)
    outcome = placefix.fix_source(
        Path(request.script).read_bytes(), name=request.script, path=request.script, options=settings
    )
    out.line("")
    out.line("before the fix:")
    before = judge(simulator, request, machines, out.event)
    out.judgement("before", before, request)
    if isinstance(outcome, (Skipped, Failed)):
        reason = outcome.reason if isinstance(outcome, Skipped) else outcome.error
        out.line(f"not fixed: {reason}")
        out.data["reason"] = reason
        return UNKNOWN
    if not isinstance(outcome, Changed):
        out.line("apply would change nothing")
        out.data |= {"diff": "", "rules": [], "failures": [], "comparisons": {}}
        return before.verdict
    with tempfile.TemporaryDirectory(prefix="placefix-") as folder:
        changed = _request_with_text(request, outcome.text.encode("utf-8"), folder)
        diff = _diff(request, _program_text(request), _program_text(changed))
        rules = sorted({finding.code for finding in outcome.applied})
        out.line("")
        count = len(outcome.applied)
        out.line(f"the fix ({count} problem{'s' if count != 1 else ''}: {', '.join(rules)}):")
        for row in diff.splitlines():
            out.line(f"  {row}")
        out.line("")
        out.line("after the fix:")
        after = judge(simulator, changed, machines, out.event)
        out.judgement("after", after, changed)
        out.data |= {"diff": diff, "rules": rules}
        compared = compare_fix(simulator, request, changed, before, after)
    for comparison in compared.comparisons.values():
        out.line(comparison.sentence)
    for failure in compared.failures:
        out.line(f"FAILED: {failure}")
    out.data["comparisons"] = {name: vars(comparison) for name, comparison in compared.comparisons.items()}
    out.data["failures"] = compared.failures
    return DEVICE_ERROR if compared.failures else after.verdict


def _program_text(request: Request) -> bytes:
    """The text that a request runs."""
    return Path(request.source or request.script).read_bytes()


def _diff(request: Request, before: bytes, after: bytes) -> str:
    from placefix.report.diff import patch

    name = os.path.relpath(request.script, request.folder)
    return patch(name.encode(), before, after).decode(errors="replace")
