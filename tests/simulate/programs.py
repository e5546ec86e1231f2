"""Cases as programs: what a case's comments say about how to run it.

    # given: CODE          what a fragment is given: executed before the program, in its namespace
    # run: CODE            what calls it: executed after the program, in its namespace (several lines: one after another)
    # arguments: WORDS     its command line
    # files: PATHS         (empty) files that it finds in its working directory
    # ranks: 2             it is what a launcher starts: run in two processes
    # machines: 0,1,2      the numbers of devices it is for, where these are not all three (0: no accelerator)
    # before: clean: WHY   it runs although the finding is more than a matter of style
    # before: error: WHY   it fails although the finding is one of style
    # fails: TEXT          before the fix it fails with an error of Python that contains TEXT, on every machine
    # after: unsafe        clean once the unsafe fixes are applied as well
    # after: all           clean once the fixes of all rules are applied, the unsafe ones as well
    # after: TEXT: WHY     what the simulator still says, and why nothing repairs it
    # numbers: WHY         why the numbers may be others than those on the plain CPU
    # not run: WHY         why it cannot be run at all

These are comments, so that they are no part of what the rules read. The modules that cases import and that
need not be installed stand in `modules/`.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import NamedTuple

MODULES = Path(__file__).parent / "modules"
_SAYS = re.compile(
    r"^# (given|run|arguments|files|ranks|machines|before|fails|after|numbers|not run): (.*)$", re.MULTILINE
)


class Program(NamedTuple):
    """How one case is run."""

    driver: str  # runs it, where it does not run by itself
    given: str  # binds what it reads and does not bind
    arguments: list[str]
    files: list[str]
    ranks: bool
    machines: tuple[int, ...]
    before: str
    fails: str
    after: str
    numbers: str
    not_run: str


def read(text: str) -> Program:
    """What the comments of a case say."""
    said: dict[str, list[str]] = {}
    for kind, value in _SAYS.findall(text):
        said.setdefault(kind, []).append(value.rstrip())
    machines = ",".join(said.get("machines", ["0,1,2"]))
    return Program(
        driver="\n".join(said.get("run", ())),
        given="\n".join(said.get("given", ())),
        arguments=" ".join(said.get("arguments", ())).split(),
        files=" ".join(said.get("files", ())).split(),
        ranks="ranks" in said,
        machines=tuple(int(number) for number in machines.split(",")),
        before=" ".join(said.get("before", ())),
        fails=" ".join(said.get("fails", ())),
        after=" ".join(said.get("after", ())),
        numbers=" ".join(said.get("numbers", ())),
        not_run=" ".join(said.get("not run", ())),
    )


def write(text: str, program: Program, folder: Path) -> Path:
    """Write what runs a text into a new folder; what a started process imports again does not drive."""
    folder.mkdir()
    for name in program.files:
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).touch()
    path = folder / "text.py"
    if program.driver:
        body = "".join(f"    {line}\n" for line in program.driver.splitlines())
        text = f'{text}\n\nif __name__ == "__main__":\n{body}'
    if program.given:
        text = f"{program.given}\n{text}"
    path.write_text(text, encoding="utf-8")
    if program.ranks:
        launcher = folder / "launcher.py"
        launcher.write_text(f"import ranks\n\nranks.launch({str(path)!r})\n", encoding="utf-8")
        return launcher
    return path
