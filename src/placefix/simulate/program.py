"""The program that a command line names: a script, a module, or a launcher such as torchrun with its script. Imports no torch."""

from __future__ import annotations

import re
import shutil
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from placefix.simulate.torch_environment import SetupError

if TYPE_CHECKING:
    from collections.abc import Sequence

# Of torch.distributed.run and accelerate.
_PROCESS_OPTION = re.compile(r"--(?:nproc[-_]per[-_]node|num[-_]processes)(?:=(.*))?")


class Program(NamedTuple):
    """What to run. script: the user's file. module: its name, if it runs as `python -m`. launcher: the path of the program, or
    "-m MODULE", that starts the script; else empty."""

    script: Path
    module: str = ""
    launcher: str = ""


def find_program(script: str, module: str, arguments: Sequence[str], python: str) -> Program:
    """The program of a command line. python: the interpreter, beside which its launchers are. Raises SetupError."""
    if module:
        found = find_module(module)
        if found is not None:
            return Program(found, module)
        missing = f"{module}: no such module in this folder"
        package = Path(module.partition(".")[0])
        if package.exists() or package.with_suffix(".py").exists():  # the user's: no installed launcher
            raise SetupError(missing)
        return _launched(f"-m {module}", missing, arguments)
    path = Path(script)
    if path.is_file():
        # The folder of an environment's programs.
        is_launcher = path.suffix not in (".py", ".ipynb") and (path.parent / "python").exists()
        return _launched(str(path.resolve()), f"{script} starts no script", arguments) if is_launcher else Program(path)
    beside = Path(python).parent / script
    launcher = str(beside) if beside.is_file() else shutil.which(script)
    missing = f"{script}: no such file"
    if launcher is None or not _is_python_program(Path(launcher)):
        raise SetupError(missing)
    return _launched(launcher, missing, arguments)


def _launched(launcher: str, missing: str, arguments: Sequence[str]) -> Program:
    """The program of a launcher, whose script is the first file of Python code, or module of the folder, among its arguments."""
    for number, argument in enumerate(arguments):
        if argument.endswith(".py") and Path(argument).is_file():
            return Program(Path(argument), launcher=launcher)
        if argument in ("-m", "--module") and number + 1 < len(arguments):
            found = find_module(arguments[number + 1])
            if found is not None:
                return Program(found, launcher=launcher)
    raise SetupError(f"{missing}, and no script among the arguments")


def _is_python_program(path: Path) -> bool:
    """Whether a file is a script of Python by its first line."""
    with path.open("rb") as file:
        return b"python" in file.readline(500)


def find_module(name: str) -> Path | None:
    """The file of a module or of a package's `__main__` below the working directory. Imports nothing."""
    base = Path(*name.split("."))
    return next((path for path in (base.with_suffix(".py"), base / "__main__.py") if path.is_file()), None)


def number_of_processes(arguments: Sequence[str]) -> int:
    """The number of processes that a launcher starts on this machine, by its options; 0 if they do not tell."""
    for number, argument in enumerate(arguments):
        match = _PROCESS_OPTION.fullmatch(argument)
        if match is not None:
            value = match[1] if match[1] is not None else "".join(arguments[number + 1 : number + 2])
            return int(value) if value.isdigit() else 0
    return 0
