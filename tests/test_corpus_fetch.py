"""The fetcher, offline: pins, cache, archives, and that no code of a distribution runs."""

from __future__ import annotations

import hashlib
import io
import re
import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path

import pytest

from corpus_support import ROOT, fetch

BOOBY_TRAP = "from pathlib import Path\nPath({flag!r}).write_text('ran')\nraise SystemExit('third-party code ran')\n"


def _sdist(folder: Path, name: str, files: dict[str, str]) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"{name}-1.0.tar.gz"
    with tarfile.open(path, "w:gz") as packed:
        for inner, text in {"PKG-INFO": f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.0\n", **files}.items():
            info = tarfile.TarInfo(f"{name}-1.0/{inner}")
            info.size = len(text.encode())
            packed.addfile(info, io.BytesIO(text.encode()))
    return path


def _pin(folder: Path, *archives: Path) -> Path:
    requirements = folder / "requirements.txt"
    lines = []
    for path in archives:
        name, version = re.match(r"(.+)-(1\.0)", path.name).groups()  # type: ignore[union-attr]
        lines.append(f"{name}=={version} --hash=sha256:{hashlib.sha256(path.read_bytes()).hexdigest()}\n")
    requirements.write_text("".join(lines))
    return requirements


def _offline(folder: Path) -> list[str]:
    return ["--no-index", "--find-links", str(folder)]


@pytest.mark.parametrize(
    "backend",
    [
        "setuptools.build_meta",
        "setuptools.build_meta:__legacy__",
        "poetry.core.masonry.api",
        "flit_core.buildapi",
        None,
    ],
)
def test_no_code_of_a_source_distribution_runs(tmp_path: Path, backend: str | None) -> None:
    flag = tmp_path / "flag"
    trap = BOOBY_TRAP.format(flag=str(flag))
    files = {"setup.py": trap, "sitecustomize.py": trap, "trap-pkg/__init__.py": trap}
    if backend:
        files["pyproject.toml"] = f'[build-system]\nrequires = ["x"]\nbuild-backend = "{backend}"\n'
    archive = _sdist(tmp_path / "index", "trap-pkg", files)
    pins = _pin(tmp_path, archive)
    found = fetch.fetch(pins, tmp_path / "cache", _offline(archive.parent))
    assert [path.name for path in found.values()] == [archive.name]
    assert dict(fetch.read_archive(*found.values()))["trap-pkg-1.0/setup.py"] == trap.encode()
    assert not flag.exists()


def test_a_backend_of_its_own_is_refused_before_it_runs(tmp_path: Path) -> None:
    flag = tmp_path / "flag"
    pyproject = '[build-system]\nrequires = []\nbuild-backend = "own"\nbackend-path = ["."]\n'
    files = {"pyproject.toml": pyproject, "own.py": BOOBY_TRAP.format(flag=str(flag))}
    archive = _sdist(tmp_path / "index", "trap", files)
    with pytest.raises(fetch.CorruptError, match="backend-path"):
        fetch.fetch(_pin(tmp_path, archive), tmp_path / "cache", _offline(archive.parent))
    assert not flag.exists()
    assert fetch.cached(tmp_path / "cache") == {}


def test_a_wrong_hash_is_corrupt_and_a_missing_file_unreachable(tmp_path: Path) -> None:
    archive = _sdist(tmp_path / "index", "thing", {})
    pins = _pin(tmp_path, archive)
    _sdist(tmp_path / "index", "thing", {"more.py": "1\n"})
    with pytest.raises(fetch.CorruptError, match="does not match"):
        fetch.fetch(pins, tmp_path / "cache", _offline(archive.parent))
    archive.unlink()
    with pytest.raises(fetch.UnreachableError, match="could not download"):
        fetch.fetch(pins, tmp_path / "cache", _offline(archive.parent))


def test_a_warm_cache_calls_no_pip(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    archive = _sdist(tmp_path / "cache", "thing", {"thing.py": "x = 1\n"})
    pins = _pin(tmp_path, archive)
    monkeypatch.setattr(subprocess, "run", None)
    found = fetch.fetch(pins, tmp_path / "cache")
    assert list(found.values()) == [archive]
    archive.write_bytes(archive.read_bytes() + b"\0")
    with pytest.raises(TypeError):  # a damaged file is not taken: pip would be called
        fetch.fetch(pins, tmp_path / "cache")


def test_members_are_read_in_memory(tmp_path: Path) -> None:
    wheel = tmp_path / "thing-1.0-py3-none-any.whl"
    with zipfile.ZipFile(wheel, "w") as packed:
        packed.writestr("thing/a.py", "a = 1\r\n")
        packed.writestr("thing/b.py", "b = 2\n")
    member = fetch.Member("thing", "1.0", wheel.name, "0", "thing/a.py", frozenset(), frozenset(), 1)
    assert list(fetch.read_members({"0": wheel}, [member])) == [(member, b"a = 1\r\n")]
    lost = fetch.Member("thing", "1.0", wheel.name, "0", "thing/c.py", frozenset(), frozenset(), 1)
    with pytest.raises(fetch.CorruptError, match=r"lacks thing/c\.py"):
        list(fetch.read_members({"0": wheel}, [lost]))


def test_every_line_of_the_requirements_is_a_pin_with_a_hash(tmp_path: Path) -> None:
    assert len(fetch.read_pins(fetch.CORE)) == 35
    assert len(fetch.read_pins(fetch.BULK)) == 27
    loose = tmp_path / "loose.txt"
    loose.write_text("requests>=2\n")
    with pytest.raises(fetch.CorruptError, match="not a pin"):
        fetch.read_pins(loose)


def test_nothing_of_a_distribution_is_committed() -> None:
    """Only names, numbers and hashes: the manifest holds no line of a member."""
    listed = subprocess.run(
        ["git", "ls-files", "corpus"], cwd=ROOT, capture_output=True, text=True, check=False
    ).stdout.splitlines()
    if not listed:
        pytest.skip("not a git checkout")
    ours = ("scripts", "repositories")  # written here, for here
    listed = [name for name in listed if Path(name).parts[1] not in ours]
    kinds = {Path(name).suffix for name in listed}
    assert kinds <= {".py", ".tsv", ".txt", ".md"}
    code = {name for name in listed if name.endswith(".py") and "/backend/" not in name}
    assert code <= {f"corpus/{name}.py" for name in ("__init__", "fetch", "judge", "update")}


def test_as_a_program_it_names_what_is_wrong_in_one_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PLACEFIX_CORPUS_CACHE", str(tmp_path))
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    for name in ("PIP_FIND_LINKS", "PIP_EXTRA_INDEX_URL", "PIP_CONFIG_FILE"):
        monkeypatch.setenv(name, "/dev/null" if name == "PIP_CONFIG_FILE" else "")
    done = subprocess.run(
        [sys.executable, str(ROOT / "corpus" / "fetch.py")], capture_output=True, text=True, check=False
    )
    assert done.returncode == 1
    assert done.stderr.startswith("corpus: ")
    assert len(done.stderr.splitlines()) == 1
