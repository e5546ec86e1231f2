"""The oldest torch by what a project declares."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import pytest

from fakes import git
from placefix.config import Configs, Options
from placefix.torch_requirement import declared

if TYPE_CHECKING:
    from pathlib import Path

POETRY = '[tool.poetry.dependencies]\npython = "^3.10"\ntorch = {}\n'
SETUP = "from setuptools import setup\n\nsetup(name='x', install_requires=[{}])\n"
CONDA = "name: x\ndependencies:\n  - python=3.10\n  - {}\n  - pip:\n      - numpy\n"
UV = '[[package]]\nname = "torchvision"\nversion = "0.15.0"\n\n[[package]]\nname = "torch"\nversion = "{}"\nsource = {{}}\n'

METADATA = "Metadata-Version: 2.1\nName: x\nRequires-Dist: numpy\nRequires-Dist: {}\n\nText.\n\n"

# name → (files, the oldest torch)
PROJECTS: dict[str, tuple[dict[str, str], tuple[int, int] | None]] = {
    "nothing": ({}, None),
    "lower bound": ({"requirements.txt": "numpy\ntorch>=2.1\n"}, (2, 1)),
    "pin": ({"requirements.txt": "torch==2.3.1\n"}, (2, 3)),
    "pin of a build": ({"requirements.txt": "torch==2.0.1+cu118\n"}, (2, 0)),
    "prefix": ({"requirements.txt": "torch==1.13.*\n"}, (1, 13)),
    "compatible release": ({"requirements.txt": "torch~=2.2.0\n"}, (2, 2)),
    "range": ({"requirements.txt": "torch <3, >=2.4  # why\n"}, (2, 4)),
    "open at the bottom": ({"requirements.txt": "torch<2.5\n"}, None),
    "hole only": ({"requirements.txt": "torch!=2.0.0\n"}, None),
    "unbounded": ({"requirements.txt": "torch\n"}, None),
    "another package": (
        {"requirements.txt": "torch-geometric==2.5\npytorch-lightning>=2.0\ntorchvision\n"},
        None,
    ),
    "torchvision": ({"requirements.txt": "torch\ntorchvision>=0.15\n"}, (2, 0)),
    "old torchvision": ({"requirements.txt": "torchvision==0.9.1\n"}, (1, 8)),
    "torchaudio": ({"setup.py": SETUP.format("'torch', 'torchaudio>=0.8.0'")}, (1, 8)),
    "new torchaudio": ({"requirements.txt": "torchaudio>=2.1\n"}, (2, 1)),
    "torch beside torchaudio": ({"requirements.txt": "torch>=1.12\ntorchaudio>=0.8.0\n"}, (1, 12)),
    "both companions": ({"requirements.txt": "torchaudio>=0.8.0\ntorchvision>=0.13\n"}, (1, 12)),
    "a comment": ({"requirements.txt": "# torch>=2.1\n"}, None),
    "hashes": ({"requirements.txt": "torch==2.1.0 \\\n    --hash=sha256:00\n"}, (2, 1)),
    "marker": (
        {"requirements.txt": 'torch>=1.12; python_version < "3.9"\ntorch>=2.0; python_version >= "3.9"\n'},
        (1, 12),
    ),
    "address": ({"requirements.txt": "torch @ https://example.org/torch-2.1.whl\n"}, None),
    "the lowest of several": ({"requirements.txt": "torch==2.5.0\n", "requirements-ci.txt": "torch>=2.2\n"}, (2, 2)),
    "folder": ({"requirements/base.txt": "torch>=2.6\n"}, (2, 6)),
    "project": ({"pyproject.toml": '[project]\ndependencies = ["torch>=2.1,<3"]\n'}, (2, 1)),
    "extra": (
        {
            "pyproject.toml": '[project]\ndependencies = []\n[project.optional-dependencies]\ngpu = ["torch[opt]>=2.2"]\n'
        },
        (2, 2),
    ),
    "group": ({"pyproject.toml": '[dependency-groups]\ntrain = ["torch>=2.3", {include-group = "x"}]\n'}, (2, 3)),
    "build only": ({"pyproject.toml": '[build-system]\nrequires = ["torch>=2.3"]\n'}, None),
    "poetry, caret": ({"pyproject.toml": POETRY.format('"^2.1"')}, (2, 1)),
    "poetry, table": ({"pyproject.toml": POETRY.format('{version = "~2.4.1", source = "x"}')}, (2, 4)),
    "poetry, choice": ({"pyproject.toml": POETRY.format('"^1.13 || ^2.0"')}, (1, 13)),
    "poetry, any": ({"pyproject.toml": POETRY.format('"*"')}, None),
    "poetry, pin": ({"pyproject.toml": POETRY.format('"2.2.0"')}, (2, 2)),
    "setup.py": ({"setup.py": SETUP.format("'numpy', 'torch>=1.10'")}, (1, 10)),
    "setup.py, words": ({"setup.py": SETUP.format("'numpy'") + "'torch is needed'\n"}, None),
    "setup.py, Python 2": ({"setup.py": "print 'torch>=2.0'\n"}, None),
    "setup.cfg": ({"setup.cfg": "[options]\ninstall_requires =\n    numpy\n    torch>=2.0\n"}, (2, 0)),
    "setup.cfg, one line": ({"setup.cfg": "[options]\ninstall_requires = torch>=2.0\n"}, (2, 0)),
    "conda": ({"environment.yml": CONDA.format("pytorch=2.1")}, (2, 1)),
    "conda, build": ({"environment.yml": CONDA.format("pytorch=2.1.0=py3.10_cuda11.8_cudnn8.7.0_0")}, (2, 1)),
    "conda, bound": ({"environment.yaml": CONDA.format('"conda-forge::pytorch>=2.2,<3"')}, (2, 2)),
    "conda, pip": ({"environment.yml": CONDA.format("x") + "      - torch==2.4.0\n"}, (2, 4)),
    "conda, other": ({"environment.yml": CONDA.format("pytorch-cuda=11.8")}, None),
    "pipenv": ({"Pipfile": '[packages]\ntorch = ">=2.1"\n'}, (2, 1)),
    "uv": ({"uv.lock": UV.format("2.5.1")}, (2, 5)),
    "uv, two": ({"uv.lock": UV.format("2.5.1") + UV.format("2.2.0+cpu")}, (2, 2)),
    "pipenv, lock": ({"Pipfile.lock": '{"default": {"torch": {"hashes": ["x"], "version": "==2.3.0"}}}'}, (2, 3)),
    "a bound beats a lock": (
        {"pyproject.toml": '[project]\ndependencies = ["torch>=1.13"]\n', "uv.lock": UV.format("2.5.1")},
        (1, 13),
    ),
    "a lock where there is no bound": (
        {"pyproject.toml": '[project]\ndependencies = ["torch"]\n', "uv.lock": UV.format("2.5.1")},
        (2, 5),
    ),
    "wheel": ({"x-1.0.dist-info/METADATA": METADATA.format("torch (>=1.6.0a)")}, (1, 6)),
    "wheel, extra": ({"x-1.0.dist-info/METADATA": METADATA.format('torch>=2.1; extra == "gpu"')}, (2, 1)),
    "wheel, unbounded": ({"x-1.0.dist-info/METADATA": METADATA.format("torch")}, None),
    "wheel, description": ({"x-1.0.dist-info/METADATA": METADATA.format("numpy") + "Requires-Dist: torch>=2\n"}, None),
    "wheel, no metadata": ({"x-1.0.dist-info/RECORD": "torch>=2.1\n"}, None),
    "installed": (
        {f"{name}-1.0.dist-info/METADATA": METADATA.format("torch>=2.1") for name in ("first", "second")},
        None,
    ),
    "source distribution": ({"PKG-INFO": METADATA.format("torch<3,>=2.2")}, (2, 2)),
    "source distribution, egg-info": (
        {"PKG-INFO": METADATA.format("numpy"), "x.egg-info/requires.txt": "numpy\n\n[gpu]\ntorch!=1.5.0,>=1.4\n"},
        (1, 4),
    ),
    "egg-info of an installation": ({"x.egg-info/requires.txt": "torch>=2.1\n"}, None),
    "a manifest beats metadata": (
        {"setup.py": SETUP.format("'torch>=1.10'"), "PKG-INFO": METADATA.format("torch>=2.2")},
        (1, 10),
    ),
    "metadata beats a lock": (
        {"PKG-INFO": METADATA.format("torch>=2.2"), "uv.lock": UV.format("2.5.1")},
        (2, 2),
    ),
    "no TOML": ({"pyproject.toml": "torch = [\n"}, None),
    "no version": ({"requirements.txt": "torch>=latest\n"}, None),
}


def plant(folder: Path, files: dict[str, str]) -> None:
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text)


@pytest.mark.parametrize("project", PROJECTS)
def test_what_a_folder_declares(project: str, tmp_path: Path) -> None:
    files, oldest = PROJECTS[project]
    plant(tmp_path, files)
    assert declared(str(tmp_path)) == oldest


def target(folder: Path, **given: object) -> tuple[int, int]:
    return Configs(Options(**given)).at(str(folder)).settings.target_torch  # type: ignore[arg-type]


def test_the_nearest_folder_counts_up_to_the_root(tmp_path: Path) -> None:
    root = tmp_path / "root"
    sub = root / "a" / "b"
    sub.mkdir(parents=True)
    git(root, "init", "-q")
    plant(tmp_path, {"requirements.txt": "torch>=2.6\n"})
    assert target(sub) == (1, 13), "what is above the work tree is of another project"
    plant(root, {"requirements.txt": "torch>=2.1\n"})
    assert target(sub) == target(root) == (2, 1)
    plant(root / "a", {"requirements.txt": "torch>=2.3\n"})
    assert (target(sub), target(root)) == ((2, 3), (2, 1))


def test_what_is_set_counts_before_what_is_declared(tmp_path: Path) -> None:
    plant(tmp_path, {"requirements.txt": "torch>=2.1\n"})
    assert target(tmp_path, target_torch="1.13") == (1, 13)
    assert Configs(isolated=True).at(str(tmp_path)).settings.target_torch == (1, 13)
    plant(tmp_path, {"placefix.toml": 'target-torch = "2.2"\n'})
    assert target(tmp_path) == (2, 2)


def test_the_accelerator_idiom_keeps_its_least_version(tmp_path: Path) -> None:
    plant(tmp_path, {"requirements.txt": "torch>=2.1\n", "new/requirements.txt": "torch>=2.9\n"})
    assert target(tmp_path, device_idiom="accelerator") == (2, 7)
    assert target(tmp_path / "new", device_idiom="accelerator") == (2, 9)


def test_a_file_that_is_none(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "requirements.txt")
    (tmp_path / "uv.lock").mkdir()
    assert declared(str(tmp_path)) is None


def test_a_finding_names_the_option_that_would_help(tmp_path: Path) -> None:
    """torch.amp.GradScaler exists since 2.3."""
    import placefix

    plant(tmp_path, {"a.py": "import torch\n\nscaler = torch.cuda.amp.GradScaler()\n"})
    (finding,) = placefix.check_paths([tmp_path])[0].remaining
    assert finding.fix is None and "from torch 2.3 on, and target-torch is 1.13" in finding.note
    plant(tmp_path, {"requirements.txt": "torch>=2.4\n"})
    (finding,) = placefix.check_paths([tmp_path])[0].remaining
    assert finding.fix is not None


def test_an_editor_sees_a_requirement_that_has_changed(tmp_path: Path) -> None:
    """After a file is saved, which makes the server forget what it has read."""
    pytest.importorskip("pygls")
    from placefix.config import Config
    from placefix.server.editor_settings import EditorSettings

    def oldest() -> tuple[int, int]:
        config = settings.config(str(tmp_path / "a.py"))
        assert isinstance(config, Config)
        return config.settings.target_torch

    settings = EditorSettings()
    assert oldest() == (1, 13)
    plant(tmp_path, {"requirements.txt": "torch>=2.1\n"})
    settings.forget()
    assert oldest() == (2, 1)
