"""The interpreter that scripts run with, and the environment with a CPU build of torch that `verify --setup` makes. Imports no torch."""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from placefix.cache import default_folder
from placefix.simulate.client import CannotJudgeError, Simulator
from placefix.simulate.installation import TESTED_TORCH, why_unsupported

if TYPE_CHECKING:
    from collections.abc import Callable

SOURCE_VARIABLE = "PLACEFIX_TORCH_FROM"
_OLDEST_PYTHON = (3, 10)
_PROBE = (
    "import json, sys, sysconfig; paths = sysconfig.get_paths(); "
    "print(json.dumps([sys.version_info[:2], sys.prefix, sorted({paths['purelib'], paths['platlib']})]))"
)


class SetupError(RuntimeError):
    """The environment cannot be made, or an interpreter cannot be used, for the given reason."""


def choose_python(given: str | None) -> str:
    """The interpreter to run scripts with: the given one; else this one or, if its torch cannot be used, that of `--setup`.

    Raises SetupError if the given one is no Python that can be used.
    """
    if given is not None:
        return _find_python(given)
    if why_unsupported() is not None:
        python = environment_folder(sys.executable) / "bin" / "python"
        if python.exists():
            return str(python)
    return sys.executable


def environment_folder(python: str) -> Path:
    """The folder of the environment of `--setup` that belongs to an interpreter."""
    prefix = str(_probe(python)[1]) if python != sys.executable else sys.prefix
    number = hashlib.sha256(prefix.encode()).hexdigest()[:12]
    return Path(default_folder(), "verify", number)


def set_up(
    given: str | None, source: str | None, confirm: Callable[[str], bool], write: Callable[[str], None]
) -> Path | None:
    """Make a virtual environment with a CPU build of torch, which also sees the packages of the interpreter that it belongs to.

    given: that interpreter, None for this one. source: the address of a package index, or a folder of wheels. confirm: gets a
    sentence about what will be done, and returns whether to do it. Returns the folder, None if it was not confirmed.
    Raises SetupError.
    """
    if not source:
        raise SetupError(
            f"give the index or the folder that has CPU builds of torch: --torch-from, or {SOURCE_VARIABLE} in the environment"
        )
    python = _find_python(given) if given is not None else sys.executable
    folder = environment_folder(python)
    version = TESTED_TORCH[-1]
    if not confirm(
        f"This makes a virtual environment in {folder} and installs torch {version} from {source} into it: some 200 MB to download, 1 GB on the disk."
    ):
        return None
    shutil.rmtree(folder, ignore_errors=True)
    try:
        _run([python, "-m", "venv", str(folder)], "the virtual environment cannot be made")
        inner = str(folder / "bin" / "python")
        place = ["--no-index", "--find-links", source] if os.path.isdir(source) else ["--index-url", source]
        write(f"installing torch {version} …")
        _run(
            [inner, "-m", "pip", "install", "--quiet", *place, f"torch=={version}"],
            f"torch {version} cannot be installed",
        )
        packages = Path(_probe(inner)[2][0])
        lines = [f"import site; site.addsitedir({path!r})\n" for path in _probe(python)[2]]
        (packages / "placefix_packages.pth").write_text("".join(lines), encoding="utf-8")
        with Simulator(python=inner):  # runs the self-test
            pass
    except (SetupError, CannotJudgeError):
        shutil.rmtree(folder, ignore_errors=True)
        raise
    return folder


def _find_python(given: str) -> str:
    """The path of an interpreter. Raises SetupError if it cannot be used."""
    found = shutil.which(given)
    if found is None:
        raise SetupError(f"{given}: no such program")
    version = tuple(_probe(found)[0])
    if version < _OLDEST_PYTHON:
        wanted, has = (".".join(map(str, each)) for each in (_OLDEST_PYTHON, version))
        raise SetupError(f"{given} is Python {has}; the simulator needs {wanted} or later")
    return os.path.abspath(found)


def _probe(python: str) -> tuple[list[int], str, list[str]]:
    """The version of an interpreter, its prefix and the folders of its packages. Raises SetupError."""
    try:
        answer = subprocess.run([python, "-c", _PROBE], capture_output=True, text=True, check=True, timeout=60)
        version, prefix, packages = json.loads(answer.stdout)
    except (OSError, ValueError, subprocess.SubprocessError):
        raise SetupError(f"{python}: this is no Python interpreter") from None
    return version, prefix, packages


def _run(command: list[str], failure: str) -> None:
    """Run a program. Raises SetupError with its last lines if it fails."""
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        lines = (done.stderr.strip() or done.stdout.strip()).splitlines()[-3:]
        raise SetupError(f"{failure}: {' '.join(line.strip() for line in lines)}")
