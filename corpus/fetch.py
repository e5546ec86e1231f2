"""Fetch the pinned distributions of the corpus and read their members in memory.

    python corpus/fetch.py            # fill the cache, print what is there
    python corpus/fetch.py --bulk     # the larger set for speed measurements
    python corpus/fetch.py --further  # the distributions whose findings are judged

Nothing of a distribution is ever extracted, installed, imported or run: pip
downloads, hashes decide, and members are read from inside the archives. `pip
download` asks the build backend of a source distribution for its metadata; the
folder `backend` holds a stand-in for every backend in use, which only copies
name and version from PKG-INFO, so that no code of the distribution runs.
"""

from __future__ import annotations

import contextlib
import csv
import hashlib
import os
import re
import subprocess
import sys
import tarfile
import tempfile
import zipfile
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

HERE = Path(__file__).resolve().parent
BACKEND = HERE / "backend"
CORE = HERE / "core-requirements.txt"
BULK = HERE / "bulk-requirements.txt"
FURTHER = HERE / "further.tsv"

_PIN = re.compile(r"^(?P<name>[A-Za-z0-9._-]+)==(?P<version>\S+)\s+--hash=sha256:(?P<hash>[0-9a-f]{64})\s*$")


class FetchError(RuntimeError):
    """The corpus cannot be had; the message is one line."""


class UnreachableError(FetchError):
    """The package index did not answer: no fault of the corpus."""


class CorruptError(FetchError):
    """What was downloaded is not what was pinned, or may not be used."""


@dataclass(frozen=True)
class Pin:
    """One line of a requirements file: exactly one distribution file."""

    name: str
    version: str
    sha256: str

    def __str__(self) -> str:
        return f"{self.name}=={self.version} --hash=sha256:{self.sha256}"


@dataclass(frozen=True)
class Member:
    """One file inside a pinned distribution: a row of corpus.tsv."""

    package: str
    version: str
    file: str
    sha256: str
    path: str
    patterns: frozenset[str]
    format: frozenset[str]
    lines: int

    @property
    def name(self) -> str:
        """A name unique in the corpus that can serve as a relative path."""
        return f"{self.package}/{self.path}"

    @property
    def parses(self) -> bool:
        """Whether the member is Python 3."""
        return "UNPARSABLE_PY3" not in self.patterns


def read_further(*, held_back: bool = True) -> list[Pin]:
    """The pins of further.tsv, those of its held-back part only on request."""
    with FURTHER.open(encoding="utf-8", newline="") as handle:
        rows = list(csv.DictReader(handle, delimiter="\t", quoting=csv.QUOTE_NONE))
    return [Pin(r["package"], r["version"], r["sha256"]) for r in rows if held_back or r["part"] == "open"]


def read_pins(requirements: Path) -> list[Pin]:
    """The pins of a requirements file, or of further.tsv; raises CorruptError on a line without a hash."""
    if requirements == FURTHER:
        return read_further()
    pins = []
    for number, line in enumerate(requirements.read_text("utf-8").splitlines(), 1):
        if not line.strip() or line.startswith("#"):
            continue
        match = _PIN.match(line)
        if match is None:
            raise CorruptError(f"{requirements.name}:{number}: not a pin with a hash: {line!r}")
        pins.append(Pin(match["name"], match["version"], match["hash"]))
    return pins


def read_manifest(path: Path = HERE / "corpus.tsv") -> list[Member]:
    """The members of the core corpus, in the order of the manifest."""

    def words(cell: str) -> frozenset[str]:
        return frozenset(filter(None, re.split("[,;]", cell)))

    with path.open(encoding="utf-8", newline="") as handle:
        return [
            Member(
                row["package"],
                row["version"],
                row["file"],
                row["sha256"],
                row["member"],
                words(row["patterns"]),
                words(row["format"]),
                int(row["lines"]),
            )
            for row in csv.DictReader(handle, delimiter="\t", quoting=csv.QUOTE_NONE)
        ]


def cache_folder() -> Path:
    """Where distributions are kept: PLACEFIX_CORPUS_CACHE, or the user's cache folder."""
    given = os.environ.get("PLACEFIX_CORPUS_CACHE")
    if given:
        return Path(given)
    import platformdirs

    return Path(platformdirs.user_cache_dir("placefix")) / "corpus"


def cached(cache: Path) -> dict[str, Path]:
    """The files in `cache` by the SHA-256 of their content."""
    if not cache.is_dir():
        return {}
    found = {}
    for path in sorted(cache.iterdir()):
        if path.is_file() and path.name.endswith((".whl", ".tar.gz", ".zip")):
            with path.open("rb") as handle:
                digest = hashlib.sha256()
                while block := handle.read(1 << 20):
                    digest.update(block)
            found[digest.hexdigest()] = path
    return found


def fetch(requirements: Path = CORE, cache: Path | None = None, pip_options: Sequence[str] = ()) -> dict[str, Path]:
    """The distributions of `requirements` by SHA-256, downloaded where the cache lacks them.

    A warm cache needs no network. Raises UnreachableError when the index does not answer and
    CorruptError when a file is not what its hash says or its build backend would bypass ours.
    """
    cache = cache or cache_folder()
    pins = read_pins(requirements)
    wanted = {pin.sha256 for pin in pins}
    have = cached(cache)
    if not wanted <= have.keys():
        cache.mkdir(parents=True, exist_ok=True)
        with _locked(cache / ".lock"):
            have = cached(cache)
            missing = [pin for pin in pins if pin.sha256 not in have]
            if missing:
                _download(missing, cache, pip_options)
                have = cached(cache)
    lacking = [f"{pin.name}=={pin.version}" for pin in pins if pin.sha256 not in have]
    if lacking:
        raise CorruptError(f"not in the cache after the download: {', '.join(lacking)}")
    return {digest: path for digest, path in have.items() if digest in wanted}


def _download(pins: Sequence[Pin], cache: Path, pip_options: Sequence[str]) -> None:
    # Into a folder of its own first: an interrupted download leaves no half file in the cache.
    with tempfile.TemporaryDirectory(dir=cache) as scratch:
        listing = Path(scratch, "requirements.txt")
        listing.write_text("".join(f"{pin}\n" for pin in pins), "utf-8")
        command = [sys.executable, "-m", "pip", "download", "--quiet", "--disable-pip-version-check", "--no-input"]
        command += ["--no-deps", "--require-hashes", "--no-build-isolation", "--use-pep517", "--ignore-requires-python"]
        command += ["-r", str(listing), "-d", scratch, *pip_options]
        done = subprocess.run(
            command,
            env={**os.environ, "PYTHONPATH": str(BACKEND)},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            errors="replace",
            check=False,
        )
        if done.returncode:
            raise _explain(done.stdout)
        for path in Path(scratch).iterdir():
            if path != listing:
                path.replace(cache / path.name)


def _explain(output: str) -> FetchError:
    lines = [line.strip() for line in output.splitlines() if line.strip()]
    reason = next((line for line in reversed(lines) if line.startswith("ERROR")), lines[-1] if lines else "no output")
    if "DO NOT MATCH THE HASHES" in output:
        return CorruptError("a downloaded distribution does not match its pinned hash")
    if "backend-path" in output:
        return CorruptError("a source distribution names a build backend of its own (backend-path): refused")
    return UnreachableError(f"pip could not download the corpus: {reason}")


@contextlib.contextmanager
def _locked(path: Path) -> Iterator[None]:
    """Only one process at a time fills the cache (test workers start together)."""
    try:
        import fcntl
    except ImportError:  # no such lock here: a second download is only wasted time
        yield
        return
    with path.open("w") as handle:
        fcntl.flock(handle, fcntl.LOCK_EX)
        yield


def read_archive(archive: Path) -> Iterator[tuple[str, bytes]]:
    """Name and content of every regular file of a distribution, without extracting it."""
    if archive.name.endswith((".whl", ".zip")):
        with zipfile.ZipFile(archive) as packed:
            for entry in packed.infolist():
                if not entry.is_dir():
                    yield entry.filename, packed.read(entry)
    else:
        with tarfile.open(archive, "r:gz") as packed:
            for item in packed:
                handle = packed.extractfile(item) if item.isfile() else None
                if handle is not None:
                    yield item.name, handle.read()


def read_members(archives: dict[str, Path], members: Sequence[Member] | None = None) -> Iterator[tuple[Member, bytes]]:
    """Each member with its bytes; raises CorruptError when an archive lacks one."""
    wanted: dict[str, dict[str, Member]] = {}
    for member in read_manifest() if members is None else members:
        wanted.setdefault(member.sha256, {})[member.path] = member
    for digest, paths in wanted.items():
        left = dict(paths)
        for path, data in read_archive(archives[digest]):
            if path in left:
                yield left.pop(path), data
        if left:
            raise CorruptError(f"{archives[digest].name} lacks {', '.join(sorted(left))}")


def main(arguments: Sequence[str]) -> int:
    requirements = BULK if "--bulk" in arguments else FURTHER if "--further" in arguments else CORE
    try:
        archives = fetch(requirements)
        size = sum(path.stat().st_size for path in archives.values())
        print(f"{len(archives)} distributions, {size / 1e6:.1f} MB, in {cache_folder()}")
        if requirements == CORE:
            lines = [data.count(b"\n") for _, data in read_members(archives)]
            print(f"{len(lines)} members, {sum(lines)} lines")
    except FetchError as error:
        print(f"corpus: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
