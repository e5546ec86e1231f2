"""Results of earlier runs, each stored with everything that it depends on.

An entry is valid for the bytes of its file, this version of placefix and Python, the file's
configuration, and the answers to all questions about other files (`facts/program/repository`). There is one
cache file per source folder, replaced in one step: of two runs at the same time the last one wins, and the
results of the other are computed again. A cache file whose digest does not match is ignored.
"""

from __future__ import annotations

import json
import os
import sys
import time
from hashlib import blake2b
from typing import TYPE_CHECKING, Any, NamedTuple

import placefix
from placefix import files, serialization
from placefix.diagnostic import spans
from placefix.engine import Changed, Failed
from placefix.facts.program.file_questions import HOLDING, WITHIN
from placefix.runner import FileResult, decode_target

if TYPE_CHECKING:
    from collections.abc import Iterable

    from placefix.discover import Target
    from placefix.facts.program.file_questions import Question
    from placefix.files import Snapshot

SUFFIX = ".placefix-cache"
_TAG = "CACHEDIR.TAG"  # keeps the folder out of backups: https://bford.info/cachedir/
_TAG_TEXT = (
    b"Signature: 8a477f597d28d172789f06886806bc55\n# What placefix found in your files; `placefix clean` removes it.\n"
)
_SWEEP_EVERY, _KEEP = 7 * 86400, 60 * 86400  # seconds


def default_folder() -> str:
    """The platform's folder for files that can be made again."""
    from platformdirs import user_cache_dir

    return user_cache_dir("placefix", appauthor=False)


def digest(data: bytes) -> str:
    """A name for `data` that nothing else has."""
    return blake2b(data, digest_size=16).hexdigest()


class Dependencies(NamedTuple):
    """The dependencies of a result: the digest of the file's bytes, the questions about other files, and the
    digest of their answers."""

    content: str
    asked: tuple[Question, ...] = ()
    answers: str = ""


class FileSystemAnswers:
    """The file system's answers to questions, each found out once."""

    def __init__(self, files: Snapshot) -> None:
        self._files = files
        self._known: dict[Question, str] = {}

    def digest(self, questions: Iterable[Question]) -> str:
        """One digest for the answers to `questions`, in their order."""
        return digest("\n".join(map(self._answer, questions)).encode())

    def _answer(self, question: Question) -> str:
        known = self._known.get(question)
        if known is None:
            kind, path = question
            if kind == "read":
                data = self._files.read(path)
                known = "-" if data is None else digest(data)
            elif kind.startswith(HOLDING):
                pattern, _, within = kind.removeprefix(HOLDING).partition(WITHIN)
                known = "\n".join(self._files.holding(path, pattern, within))
            else:
                known = str(self._files.is_file(path) if kind == "is_file" else self._files.is_folder(path))
            self._known[question] = known
        return known


class Cache:
    """The cache of one run.

    folder: where its files are. fixing: whether results are those of `fix`, not of `check`.
    scanned: the absolute folders that the run searches.
    """

    def __init__(self, folder: str, *, fixing: bool, scanned: Iterable[str], files: Snapshot) -> None:
        self._folder = folder
        self._mode = "fix" if fixing else "check"
        self._run = f"{placefix.__version__} {_program_digest()} {sys.version} {sorted(scanned)}"
        self._answers = FileSystemAnswers(files)
        self._shards: dict[str, dict[str, Any]] = {}
        self._changed: set[str] = set()

    def find(self, target: Target, data: bytes) -> FileResult | None:
        """The result for a file that holds `data`, if it is known."""
        folder, name = os.path.split(target.absolute)
        shard = self._shard(folder)
        try:
            key, asked, answers, has_source, plain = shard["files"][name][self._mode]
            if key != self._key(target, digest(data)):
                return None
            if asked and answers != self._answers.digest([tuple(shard["asked"][number]) for number in asked]):
                return None
            outcome = serialization.load(plain, target.config.rules)
            result = FileResult(target, outcome, decode_target(target, data) if has_source else None)
            return result if _is_sound(result) else None
        except (KeyError, IndexError, TypeError, ValueError, RecursionError):
            return None

    def keep(self, target: Target, result: FileResult, grounds: Dependencies) -> None:
        """Remember a result; `save` writes it."""
        if isinstance(result.outcome, Failed | Changed):
            # A failure may be a bug or a lack of memory, so it is not kept. The text of a changed file is never taken from a
            # cache: whoever can write to the cache could write into the user's code.
            return
        folder, name = os.path.split(target.absolute)
        shard = self._shard(folder)
        numbers = self._numbers(shard, grounds.asked)
        entry = [
            self._key(target, grounds.content), numbers, grounds.answers, result.source is not None,
            serialization.dump(result.outcome),
        ]  # fmt: skip
        shard["files"].setdefault(name, {})[self._mode] = entry
        self._changed.add(folder)

    def save(self) -> None:
        """Write the new entries. If that fails, the next run starts without them."""
        if not self._changed:
            return
        try:
            os.makedirs(self._folder, exist_ok=True)
            _tag_folder(self._folder)
            for folder in sorted(self._changed):
                body = json.dumps(_compact(folder, self._shards[folder]), separators=(",", ":")).encode()
                _replace(self._file(folder), digest(body).encode() + b"\n" + body)
        except OSError:
            return
        self._changed.clear()

    def _file(self, folder: str) -> str:
        return os.path.join(self._folder, digest(os.fsencode(folder)) + SUFFIX)

    def _shard(self, folder: str) -> dict[str, Any]:
        shard = self._shards.get(folder)
        if shard is None:
            shard = self._shards[folder] = _read(self._file(folder)) or {"files": {}, "asked": []}
        return shard

    @staticmethod
    def _numbers(shard: dict[str, Any], asked: Iterable[Question]) -> list[int]:
        index = shard.get("index")
        if index is None:
            index = shard["index"] = {tuple(question): number for number, question in enumerate(shard["asked"])}
        for question in asked:
            if question not in index:
                index[question] = len(shard["asked"])
                shard["asked"].append(question)
        return [index[question] for question in asked]

    def _key(self, target: Target, content: str) -> str:
        config = target.config
        rules = [(rule.code, rule.check.__module__) for rule in config.rules_for(target.absolute)]
        settled = (
            tuple(config.settings),
            config.unsafe_fixes,
            config.fragment,
            target.named,
            target.absolute,
            target.rows,
            rules,
        )
        return digest(f"{self._run} {settled!r} {content}".encode("utf-8", "surrogateescape"))


def clean(folder: str) -> int:
    """Remove the cache files in `folder`; how many there were. Raises OSError."""
    count = 0
    try:
        names = os.listdir(folder)
    except FileNotFoundError:
        return 0
    for name in names:
        if name.endswith((SUFFIX, SUFFIX + ".tmp")) or name == _TAG:
            os.unlink(os.path.join(folder, name))
            count += name.endswith(SUFFIX)
    if not os.listdir(folder):
        os.rmdir(folder)
    return count


def _program_digest() -> str:
    """A digest of the program apart from its version: the sizes and times of its files."""
    found = []
    for root, folders, names in os.walk(os.path.dirname(placefix.__file__)):
        folders[:] = [folder for folder in folders if folder != "__pycache__"]
        for name in names:
            status = os.stat(os.path.join(root, name))
            found.append(f"{root} {name} {status.st_mtime_ns} {status.st_size}")
    return digest("\n".join(sorted(found)).encode("utf-8", "surrogateescape"))


def _is_sound(result: FileResult) -> bool:
    """Whether a result can be one of `keep`: no text to be written, and every place is one of the source."""
    if isinstance(result.outcome, Failed | Changed):
        return False
    end = len(result.source.text) if result.source is not None else -1
    return all(0 <= span.start <= span.end <= end for span in spans(result.remaining))


def _read(file: str) -> dict[str, Any] | None:
    try:
        name, _, body = files.read(file).partition(b"\n")
        if name != digest(body).encode():
            return None
        shard = json.loads(body)
    except (files.FileError, ValueError, RecursionError):
        return None
    return shard if _is_shard(shard) else None


def _is_shard(shard: object) -> bool:
    """Whether data has the form that `_compact` gives it, as far as the entries themselves."""
    if not isinstance(shard, dict) or set(shard) != {"files", "asked"}:
        return False
    held, asked = shard["files"], shard["asked"]
    if (
        not isinstance(held, dict)
        or not isinstance(asked, list)
        or not all(isinstance(modes, dict) for modes in held.values())
    ):
        return False
    if not all(
        isinstance(each, list) and len(each) == 2 and all(isinstance(word, str) for word in each) for each in asked
    ):
        return False
    return all(
        isinstance(entry, list)
        and len(entry) == 5
        and isinstance(entry[1], list)
        and all(type(number) is int and 0 <= number < len(asked) for number in entry[1])
        for modes in held.values()
        for entry in modes.values()
    )


def _compact(folder: str, shard: dict[str, Any]) -> dict[str, Any]:
    """The shard without deleted files and without questions that no entry needs any more."""
    present = {entry.name for entry in os.scandir(folder)} if os.path.isdir(folder) else set()
    kept = {name: modes for name, modes in shard["files"].items() if name in present}
    used = sorted({number for modes in kept.values() for entry in modes.values() for number in entry[1]})
    place = {number: index for index, number in enumerate(used)}
    return {
        "files": {
            name: {
                mode: [key, [place[number] for number in asked], *rest] for mode, (key, asked, *rest) in modes.items()
            }
            for name, modes in kept.items()
        },
        "asked": [shard["asked"][number] for number in used],
    }


def _replace(file: str, data: bytes) -> None:
    temporary = f"{file[: -len(SUFFIX)]}-{os.getpid()}{SUFFIX}.tmp"
    try:
        with open(temporary, "wb") as stream:
            stream.write(data)
        os.replace(temporary, file)
    finally:
        if os.path.lexists(temporary):
            os.unlink(temporary)


def _tag_folder(folder: str) -> None:
    """Mark the folder as a cache; once in a while delete files that were not written for long."""
    tag = os.path.join(folder, _TAG)
    now = time.time()
    try:
        if now - os.stat(tag).st_mtime < _SWEEP_EVERY:
            return
    except FileNotFoundError:
        pass
    with open(tag, "wb") as stream:
        stream.write(_TAG_TEXT)
    for entry in os.scandir(folder):
        if entry.name.endswith((SUFFIX, ".tmp")) and now - entry.stat().st_mtime > _KEEP:
            os.unlink(entry.path)
