"""Rules that find what a test says, for the tests of everything between the user and the engine.

    NAME.cuda()       PF901, a safe fix to NAME.to(device); the name decides otherwise:
    risky….cuda()     an unsafe fix        shown….cuda()   a fix for display only
    kept….cuda()      a note and no fix
    crash_here        PF902 raises         bad_edit        PF903's edit names text that is not there
    rare_thing        PF911, opt-in, no fix
    slow_thing        PF901 waits a while before it answers
    die_here          PF902 kills the process it runs in

FAKES_DEATH, in the environment, is the number of the call of open, write, fsync, replace or unlink before which a run is
killed. FAKES_LOG names a file that gets a line for each text that PF901 is asked about.

Run as a program it is `placefix` with these rules for its own, in a process of its own.
"""

from __future__ import annotations

import itertools
import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING

import forks
import placefix.rules
from placefix.diagnostic import Applicability, Fix, Replace, Rule, Severity, Span

if TYPE_CHECKING:
    from collections.abc import Iterator

    from placefix.diagnostic import Diagnostic
    from placefix.facts.context import AnalysisContext

_CUDA = re.compile(r"\b(\w+)\.cuda\(\)")


def _cuda(context: AnalysisContext) -> Iterator[Diagnostic]:
    if log := os.environ.get("FAKES_LOG"):
        with open(log, "a") as stream:
            stream.write(f"{os.path.basename(context.source.name)}\n")
    if "endless_thing" in context.source.text:
        time.sleep(3600)
    if "slow_thing" in context.source.text:
        time.sleep(0.1)
    for match in _CUDA.finditer(context.source.text):
        span, name = Span(*match.span()), match[1]
        applicability, premise, key = Applicability.SAFE, "", ""
        if name.startswith("risky"):
            applicability, premise, key = Applicability.UNSAFE, f"{name} may be anything", "anything"
        elif name.startswith("shown"):
            applicability, premise, key = Applicability.DISPLAY, f"only you know what {name} is", "yours"
        edit = Replace(span, f"{name}.to(device)", match[0])
        fix = Fix((edit,), f"Move `{name}` to the device", applicability, premise, ((key, premise),) if key else ())
        if name.startswith("kept"):
            yield CUDA.diagnostic(span, f"`{name}` is on CUDA", note=f"{name} is meant to stay there")
        else:
            yield CUDA.diagnostic(span, f"`{name}` is on CUDA", fix=fix)


def _crash(context: AnalysisContext) -> Iterator[Diagnostic]:
    if "die_here" in context.source.text:
        os.kill(os.getpid(), signal.SIGKILL)
    raise RuntimeError("this rule\nalways fails")


def _bad_edit(context: AnalysisContext) -> Iterator[Diagnostic]:
    start = context.source.text.index("bad_edit")
    span = Span(start, start + 8)
    fix = Fix((Replace(span, "good_edit", "not what stands there"),), "Break it")
    yield BAD_EDIT.diagnostic(span, "there is a bad edit", fix=fix)


def _rare(context: AnalysisContext) -> Iterator[Diagnostic]:
    start = context.source.text.index("rare_thing")
    yield RARE.diagnostic(Span(start, start + 10), "there is a rare thing")


CUDA = Rule(
    "PF901",
    "fake-cuda",
    "Something is on CUDA.",
    Severity.WARNING,
    ((b".cuda(",),),
    _cuda,
    """Move things to the device.

    Why:
        Because the *test* says so.

        And it says so twice.

    Example:
        model.cuda()  ->  model.to(device)
    """,
)
CRASH = Rule("PF902", "fake-crash", "Always fails.", Severity.ERROR, ((b"crash_here",), (b"die_here",)), _crash)
BAD_EDIT = Rule("PF903", "fake-bad-edit", "Writes nonsense.", Severity.STYLE, ((b"bad_edit",),), _bad_edit)
RARE = Rule("PF911", "fake-rare", "Rare.", Severity.STYLE, ((b"rare_thing",),), _rare, opt_in=True)
FAKES = (CUDA, CRASH, BAD_EDIT, RARE)


_PROGRESS = re.compile(rb"(?m)^\d+ of \d+ files, \d+ a second, now .*\n")


def said(stderr: bytes) -> bytes:
    """What a run said, without how far it had come after ten seconds: on a busy machine it takes as long."""
    return _PROGRESS.sub(b"", stderr)


def environment(cwd: str | os.PathLike[str], env: dict[str, str] | None) -> dict[str, str]:
    """The environment of a run in a folder: cache and journal beside it, and nothing of the user's that changes what is printed."""
    ours = ("NO_COLOR", "FORCE_COLOR", "PLACEFIX_TRACEBACK", "FAKES_LOG", "FAKES_DEATH")
    here = os.path.realpath(cwd)
    places = {"PLACEFIX_CACHE_DIR": f"{here}-cache", "XDG_STATE_HOME": f"{here}-state"}
    return {**{key: value for key, value in os.environ.items() if key not in ours}, **places, **(env or {})}


def start(
    *args: str | os.PathLike[str], cwd: str | os.PathLike[str], env: dict[str, str] | None = None
) -> subprocess.Popen[bytes]:
    """Start `placefix ARGS` with these rules in a process of its own, its three streams being pipes."""
    return subprocess.Popen(
        [sys.executable, str(Path(__file__).resolve()), *map(os.fspath, args)],
        cwd=cwd,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=environment(cwd, env),
    )


def run(
    *args: str | os.PathLike[str],
    cwd: str | os.PathLike[str],
    stdin: bytes = b"",
    env: dict[str, str] | None = None,
) -> subprocess.CompletedProcess[bytes]:
    """Run `placefix ARGS` with these rules to its end, in a fork; `stdin` is its input."""
    program = Path(__file__).resolve()
    done = forks.run(program, [*map(os.fspath, args)], cwd=cwd, env=environment(cwd, env), stdin=stdin)
    return subprocess.CompletedProcess(done.args, done.returncode, done.stdout, said(done.stderr))


def git(root: Path, *arguments: str) -> None:
    """Run git in a folder, as somebody."""
    identity = ["-c", "user.name=n", "-c", "user.email=e@example.com", "-c", "commit.gpgsign=false"]
    subprocess.run(["git", *identity, *arguments], cwd=root, check=True, capture_output=True)


def _mortal(death: int) -> None:
    """Kill this process before its `death`-th call of what changes files."""
    calls = itertools.count(1)

    def mortal(name: str) -> None:
        real = getattr(os, name)

        def call(*args: object, **named: object) -> object:
            if next(calls) == death:
                os.kill(os.getpid(), signal.SIGKILL)
            return real(*args, **named)

        setattr(os, name, call)

    for name in ("open", "write", "fsync", "replace", "unlink"):
        mortal(name)


if __name__ == "__main__":
    placefix.rules.RULES = FAKES
    if sys.argv[1:2] == ["--serve"]:
        forks.serve()
    # What starts the tests may ignore Ctrl-C, as a shell does for what it runs in the background; and so would Python.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    if "FAKES_DEATH" in os.environ:
        _mortal(int(os.environ["FAKES_DEATH"]))
    from placefix.__main__ import main

    sys.argv[0] = "placefix"
    main()
