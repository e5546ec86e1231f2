"""Queries to git. It runs only when the answer is needed."""

from __future__ import annotations

import os
import re
import subprocess
from functools import cache
from typing import TYPE_CHECKING

from placefix.discover import Target
from placefix.runner import RunError

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence

    from placefix.changed_lines import Rows
    from placefix.discover import Missing

_MANY = 200  # paths: more than these are not named to git, whose answer is searched instead
_SHOWN = 5
# Variables that git sets for a hook and that name another directory or index, and those that change diffs and pathspecs.
_ELSEWHERE = frozenset({
    "GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE", "GIT_PREFIX", "GIT_DIFF_OPTS",
    "GIT_GLOB_PATHSPECS", "GIT_NOGLOB_PATHSPECS", "GIT_ICASE_PATHSPECS",
})  # fmt: skip


@cache
def work_tree_root(folder: str) -> str:
    """The top of the git work tree around an absolute folder; "" outside of any."""
    if os.path.lexists(os.path.join(folder, ".git")):
        return folder
    parent = os.path.dirname(folder)
    return "" if parent == folder else work_tree_root(parent)


def head_commit(folder: str) -> str:
    """The short name of the commit that is checked out around an absolute folder; "" where there is none or no git."""
    tree = work_tree_root(folder)
    try:
        return (
            _run_disarmed(tree, "rev-parse", "--short", "--verify", "--quiet", "HEAD").stdout.decode().strip()
            if tree
            else ""
        )
    except RunError:
        return ""


def require_clean(paths: Iterable[str]) -> None:
    """Raises RunError where one of the absolute `paths` has changes that are not committed, or is not known to git."""
    by_tree: dict[str, list[str]] = {}
    for path in map(os.path.realpath, paths):
        if tree := work_tree_root(os.path.dirname(path)):
            by_tree.setdefault(tree, []).append(path)
    dirty = [path for tree, inside in by_tree.items() for path in _dirty(tree, inside)]
    if dirty:
        names = ", ".join(os.path.relpath(path) for path in dirty[:_SHOWN]) + (", …" if len(dirty) > _SHOWN else "")
        have = "1 file to be written has" if len(dirty) == 1 else f"{len(dirty)} files to be written have"
        raise RunError(f"{have} uncommitted changes: {names}; nothing is written (commit them, or say --allow-dirty)")


def _dirty(tree: str, paths: Collection[str]) -> list[str]:
    named = [os.path.relpath(path, tree) for path in paths] if len(paths) <= _MANY else []
    # -z: XY PATH NUL, and after a rename the old name NUL
    fields = iter(
        run_git(
            tree,
            "status",
            "--porcelain=v1",
            "-z",
            "--no-renames",
            "--untracked-files=all",
            *_NO_SUBMODULES,
            "--",
            *named,
        ).split(b"\0")
    )
    changed = {os.path.join(tree, os.fsdecode(field[3:])) for field in fields if field}
    return [path for path in paths if path in changed]


# git inspects a submodule in a separate process, with the submodule's configuration and without these options.
_NO_SUBMODULES = ("--ignore-submodules=all",)
# Options that override all settings of a user's configuration and environment that change a diff.
_DIFF = (
    "diff", "--unified=0", "--inter-hunk-context=0", "--find-renames", "--text", "--no-color",
    "--no-ext-diff", "--no-textconv", "--no-relative", _NO_SUBMODULES[0], "--src-prefix=a/", "--dst-prefix=b/",
)  # fmt: skip
_HUNK = re.compile(rb"@@ -\d+(?:,(\d+))? \+(\d+)(?:,(\d+))? @@")
_ESCAPES = {b"a": b"\a", b"b": b"\b", b"t": b"\t", b"n": b"\n", b"v": b"\v", b"f": b"\f", b"r": b"\r"}


def changed_since(
    revision: str, targets: Sequence[Target | Missing], paths: Iterable[str | os.PathLike[str]] = ()
) -> list[Target | Missing]:
    """Those of `targets` that have changed in their git work trees since `revision`, committed or not, each with the lines
    that have; files that git does not track count as changed completely. paths: the paths of the run.

    Raises RunError where a target is in no work tree, and where a work tree has no such commit.
    """
    real = {t.absolute: os.path.realpath(t.absolute) for t in targets if isinstance(t, Target)}
    suffixes = {os.path.splitext(path)[1] for path in real.values()}
    folders = {os.path.dirname(path) for path in real.values()} or {
        found if os.path.isdir(found) else os.path.dirname(found) for found in map(os.path.realpath, paths)
    }
    if outside := sorted(folder for folder in folders if not work_tree_root(folder)):
        raise RunError(f"--base-ref: {os.path.relpath(outside[0])} is in no git work tree")
    rows: dict[str, Rows | None] = {}
    tracked: set[str] = set()
    for tree in sorted(set(map(work_tree_root, folders))):
        _ask(tree, revision, suffixes, rows, tracked)
    found: list[Target | Missing] = []
    for target in targets:
        if not isinstance(target, Target):
            found.append(target)
        elif (path := real[target.absolute]) in rows or path not in tracked:
            found.append(target._replace(rows=rows.get(path)))
    return found


def _ask(tree: str, revision: str, suffixes: Collection[str], rows: dict[str, Rows | None], tracked: set[str]) -> None:
    """Add git's list of a work tree to `rows` (of changed files; None: all of them) and to `tracked`."""
    # a training repository has much in it that is not Python, and large
    some = [f"*{suffix}" for suffix in suffixes] if all(re.fullmatch(r"\.\w+", suffix) for suffix in suffixes) else []

    def names(output: bytes) -> list[str]:
        """The absolute paths in NUL-separated output."""
        return [os.path.normpath(os.path.join(tree, os.fsdecode(name))) for name in output.split(b"\0") if name]

    commit = _commit_of(tree, revision)
    changed = dict(_changed_rows(run_git(tree, *_DIFF, commit, "--", *some, patterns=True)))
    whole = _filtered_paths(tree, changed)
    rows.update(zip(names(b"\0".join(changed)), (None if name in whole else found for name, found in changed.items())))
    tracked.update(names(run_git(tree, "ls-files", "-z", "--", *some, patterns=True)))


def _filtered_paths(tree: str, paths: Collection[bytes]) -> set[bytes]:
    """Those of the paths that git compares as a filter makes them: their lines there are not those of the file."""
    answer = (
        run_git(tree, "check-attr", "-z", "--stdin", "filter", stdin=b"\0".join(paths)).split(b"\0") if paths else []
    )
    found = {path: name for path, name in zip(answer[::3], answer[2::3]) if name not in (b"unspecified", b"unset")}
    if not found:
        return set()
    keys = _run_disarmed(
        tree, "config", "-z", "--name-only", "--get-regexp", r"^filter\..*\.(clean|process)$"
    ).stdout.split(b"\0")
    return {path for path, name in found.items() if {b"filter.%s.clean" % name, b"filter.%s.process" % name} & {*keys}}


def _commit_of(tree: str, revision: str) -> str:
    """The commit that a revision names in a work tree."""
    done = _run_disarmed(tree, "rev-parse", "--verify", "--quiet", "--end-of-options", f"{revision}^{{commit}}")
    if done.returncode and not done.stderr:
        raise RunError(f"--base-ref: there is no commit {revision!r} in {tree}")
    return _output_of(done, tree, "rev-parse").decode().strip()


def _changed_rows(diff: bytes) -> Iterator[tuple[bytes, Rows]]:
    """Name and changed lines of each file of a diff without context that has lines left."""
    name, left = b"", 0
    rows: list[tuple[int, int]] = []
    for line in diff.split(b"\n"):
        if left and not line.startswith(b"\\"):  # removed and added lines, without `\ No newline at end of file`
            left -= 1
        elif line.startswith(b"diff --git "):
            if rows:
                yield name, tuple(rows)
            name, rows = b"", []
        elif line.startswith(b"+++ "):
            name = _unquote(line[4:].removesuffix(b"\t")).removeprefix(b"b/")
        elif hunk := _HUNK.match(line):
            gone, first, come = int(hunk[1] or 1), int(hunk[2]), int(hunk[3] or 1)
            left = gone + come
            if come:
                rows.append((first, first + come - 1))
    if rows:
        yield name, tuple(rows)


def _unquote(name: bytes) -> bytes:
    """A name from git's output: some are in quotes, with escapes."""
    if not name.startswith(b'"'):
        return name

    def character(found: re.Match[bytes]) -> bytes:
        """The byte of an escape in a quoted name."""
        escape = found[1]
        return bytes((int(escape, 8),)) if escape.isdigit() else _ESCAPES.get(escape, escape)

    return re.sub(rb"\\([0-7]{3}|.)", character, name[1:-1])


def run_git(tree: str, *arguments: str, patterns: bool = False, stdin: bytes = b"") -> bytes:
    """The output of git in the folder `tree`; empty without a git. Raises RunError if it fails.

    patterns: the paths among the arguments are patterns.
    """
    return _output_of(_run_disarmed(tree, *arguments, patterns=patterns, stdin=stdin), tree, arguments[0])


def _output_of(done: subprocess.CompletedProcess[bytes], tree: str, command: str) -> bytes:
    if done.returncode:
        said = done.stderr.decode(errors="replace").strip().splitlines() or [f"exit code {done.returncode}"]
        raise RunError(f"git {command} failed in {tree}: {said[0]}")
    return done.stdout


# The author of the repository also wrote its .git/config, which must not run programs: these options override every key
# that makes our git commands start one. Keys with a name inside (filters) are found by `_disarming_options`.
_DISARMED = {
    "core.fsmonitor": "",  # not "false", which is a program before git 2.36
    "core.hooksPath": os.devnull,
    "core.sshCommand": "false",
    "core.gitProxy": "",
    "core.askPass": "false",
    "core.pager": "cat",
    "core.editor": "false",
    "credential.helper": "",
    "diff.external": "",
    "diff.autoRefreshIndex": "false",
    "diff.orderFile": os.devnull,
    "status.submoduleSummary": "false",
    "submodule.recurse": "false",
    "protocol.allow": "never",
}
_ENVIRONMENT = {
    "GIT_OPTIONAL_LOCKS": "0",  # the index is not written, and no hook runs
    "GIT_NO_LAZY_FETCH": "1",  # of a partial clone; before git 2.44 there is no protocol to fetch by
    "GIT_ALLOW_PROTOCOL": "",
    "GIT_TERMINAL_PROMPT": "0",
    "LC_ALL": "C",
}
_PROGRAMS = re.compile(rb"filter\.(.*)\.(?:clean|smudge|process)", re.DOTALL | re.IGNORECASE)


@cache
def _disarming_options(tree: str) -> dict[str, str]:
    """The settings that override a work tree's configuration so that it starts no program. Filters of the user's configuration stay."""
    # scope NUL key NUL; before git 2.26 there are no scopes, and every filter counts as the repository's
    listed = _start_git(tree, {}, "config", "--show-scope", "-z", "--name-only", "--list")
    fields = listed.stdout.split(b"\0")
    if listed.returncode:
        keys = _start_git(tree, {}, "config", "-z", "--name-only", "--list").stdout.split(b"\0")
        fields = [field for key in keys for field in (b"local", key)]
    said = dict(_DISARMED)
    for scope, key in zip(fields[::2], fields[1::2]):
        if scope not in (b"system", b"global", b"command") and (found := _PROGRAMS.fullmatch(key)):
            name = os.fsdecode(found[1])
            said |= {f"filter.{name}.{word}": "" for word in ("clean", "smudge", "process")}
            said[f"filter.{name}.required"] = "false"
    return said


def _run_disarmed(
    tree: str, *arguments: str, patterns: bool = False, stdin: bytes = b""
) -> subprocess.CompletedProcess[bytes]:
    return _start_git(tree, _disarming_options(tree), *arguments, patterns=patterns, stdin=stdin)


def _start_git(
    tree: str, said: Mapping[str, str], *arguments: str, patterns: bool = False, stdin: bytes = b""
) -> subprocess.CompletedProcess[bytes]:
    """Run git in a work tree. said: settings that override the configuration."""
    env = {name: value for name, value in os.environ.items() if name not in _ELSEWHERE}
    env |= {**_ENVIRONMENT, "GIT_LITERAL_PATHSPECS": "0" if patterns else "1", "GIT_WORK_TREE": tree}
    options = [word for key, value in said.items() if "=" not in key for word in ("-c", f"{key}={value}")]
    odd = [(key, value) for key, value in said.items() if "=" in key]  # since git 2.31, by the environment
    count = env.get("GIT_CONFIG_COUNT", "")
    first = int(count) if count.isdigit() else 0
    for number, (key, value) in enumerate(odd, first):
        env |= {f"GIT_CONFIG_KEY_{number}": key, f"GIT_CONFIG_VALUE_{number}": value}
    if odd:
        env["GIT_CONFIG_COUNT"] = str(first + len(odd))
    try:
        command = ["git", "--no-pager", "-C", tree, *options, "-c", "core.quotepath=off", *arguments]
        return subprocess.run(command, capture_output=True, check=False, env=env, input=stdin)
    except OSError as error:
        raise RunError(f"git cannot be run in {tree}: {error.strerror}") from None
