"""The interpreter that `verify` runs scripts with: refusals, `--python`, `--setup`."""

from __future__ import annotations

import os
import platform
import subprocess
import sys
import zipfile
from importlib.util import spec_from_file_location
from pathlib import Path

import pytest

from placefix.simulate import installation, torch_environment
from placefix.simulate.torch_environment import SetupError, choose_python, environment_folder, set_up

SOURCE = Path(__file__).parents[2] / "src"


@pytest.fixture(autouse=True)
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    return tmp_path / "cache"


def verify(folder: Path, *words: str) -> tuple[int, str]:
    """The exit code and the output of the command, without the settings of pip on this machine."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("PIP_", "PLACEFIX_"))}
    path = os.pathsep.join([str(SOURCE), os.environ.get("PYTHONPATH", "")])
    done = subprocess.run(
        [sys.executable, "-m", "placefix", "verify", *words],
        check=False, capture_output=True, text=True, stdin=subprocess.DEVNULL, cwd=folder, timeout=600,
        env={**kept, "PYTHONPATH": path, "PIP_CONFIG_FILE": os.devnull},
    )  # fmt: skip
    return done.returncode, done.stdout + done.stderr


@pytest.mark.parametrize(("system", "name"), [("Darwin", "macOS"), ("Windows", "Windows")])
def test_systems_are_refused_by_name(system: str, name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(platform, "system", lambda: system)
    reason = installation.why_unsupported() or ""
    assert reason.startswith(f"the simulator does not run on {name}: it forks processes")


@pytest.mark.parametrize("library", ["libtorch_cuda.so", "libtorch_hip.so", None])
def test_a_build_for_gpus_is_refused_with_the_way_out(
    library: str | None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "torch" / "lib").mkdir(parents=True)
    (tmp_path / "torch" / "__init__.py").touch()
    (tmp_path / "torch" / "lib" / (library or "libtorch_cpu.so")).touch()
    spec = spec_from_file_location("torch", tmp_path / "torch" / "__init__.py")
    monkeypatch.setattr(installation.importlib.util, "find_spec", lambda name: spec)
    reason = installation.why_unsupported()
    if library is None:
        assert reason is None
    else:
        assert reason is not None
        assert "is a build for GPUs, and the simulator needs a CPU build. `placefix verify --setup` installs" in reason


def test_an_interpreter_that_cannot_be_used(tmp_path: Path) -> None:
    for name, text, reason in (
        ("old", "echo '[[3, 9], \"/usr\", []]'", "is Python 3.9; the simulator needs 3.10 or later"),
        ("other", "echo hello", "this is no Python interpreter"),
    ):
        (tmp_path / name).write_text(f"#!/bin/sh\n{text}\n")
        (tmp_path / name).chmod(0o755)
        with pytest.raises(SetupError, match=reason):
            choose_python(str(tmp_path / name))
    with pytest.raises(SetupError, match="no such program"):
        choose_python(str(tmp_path / "absent"))


def test_the_environment_is_used_if_the_torch_of_this_python_cannot_be(monkeypatch: pytest.MonkeyPatch) -> None:
    python = environment_folder(sys.executable) / "bin" / "python"
    monkeypatch.setattr(torch_environment, "why_unsupported", lambda: "a build for GPUs")
    assert choose_python(None) == sys.executable
    python.parent.mkdir(parents=True)
    python.touch()
    assert choose_python(None) == str(python)
    monkeypatch.setattr(torch_environment, "why_unsupported", lambda: None)
    assert choose_python(None) == sys.executable


def test_nothing_is_installed_without_a_source_and_a_confirmation(cache: Path, tmp_path: Path) -> None:
    told: list[str] = []
    with pytest.raises(SetupError, match="--torch-from"):
        set_up(None, None, lambda _: True, told.append)
    assert set_up(None, str(tmp_path), lambda text: bool(told.append(text)), told.append) is None
    (sentence,) = told
    assert str(environment_folder(sys.executable)) in sentence
    assert f"installs torch 2.13.0 from {tmp_path}" in sentence
    assert not cache.exists()


def wheel(folder: Path, version: str) -> None:
    """A wheel of torch with a module of this test; the torch of the tests is found beside it."""
    info = f"torch-{version}.dist-info"
    parts = {
        "torch_of_the_wheel.py": "",
        f"{info}/METADATA": f"Metadata-Version: 2.1\nName: torch\nVersion: {version}\n",
        f"{info}/WHEEL": "Wheel-Version: 1.0\nGenerator: test\nRoot-Is-Purelib: true\nTag: py3-none-any\n",
    }
    record = "".join(f"{name},,\n" for name in [*parts, f"{info}/RECORD"])
    folder.mkdir()
    with zipfile.ZipFile(folder / f"torch-{version}-py3-none-any.whl", "w") as archive:
        for name, text in {**parts, f"{info}/RECORD": record}.items():
            archive.writestr(name, text)


@pytest.mark.battery  # it installs torch
def test_setup_from_a_folder_of_wheels(tmp_path: Path, cache: Path) -> None:
    wheel(tmp_path / "wheels", "2.13.0")
    source = ("--setup", "--torch-from", str(tmp_path / "wheels"))
    code, said = verify(tmp_path, *source)
    assert code == 2, said
    assert "Nothing was installed" in said
    code, said = verify(tmp_path, *source, "--yes")
    assert code == 0, said
    assert "Done: the self-test passed." in said
    (python,) = cache.glob("placefix/verify/*/bin/python")
    (tmp_path / "train.py").write_text(
        "import sys, torch, torch_of_the_wheel\nprint(sys.prefix, torch.ones(1).cuda().device)\n"
    )
    code, said = verify(tmp_path, "--python", str(python), "--gpus", "1", "train.py")
    assert code == 0, said
    assert f"Python: {python}" in said
    assert f"  > {python.parents[1]} cuda:0" in said


def test_a_setup_that_fails_leaves_nothing(tmp_path: Path, cache: Path) -> None:
    wheel(tmp_path / "wheels", "1.0.0")
    code, said = verify(tmp_path, "--setup", "--yes", "--torch-from", str(tmp_path / "wheels"))
    assert code == 2
    assert "error: torch 2.13.0 cannot be installed:" in said
    assert list(cache.glob("placefix/verify/*")) == []
