"""`apply --diff --split-by`: patches that apply alone and in any order, and are together what `apply` does."""

from __future__ import annotations

import itertools
import random
import shutil
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import nbformat
import pytest

import placefix
from corpus_support import ROOT, git, snapshot
from fakes import FAKES, run
from placefix import patch_series, rule_selection
from placefix.config import Configs, Options
from placefix.diagnostic import Rule, Severity, Span
from placefix.discover import Target
from placefix.engine import Changed, Unchanged
from placefix.patch_series.owners import OwnerLookup
from placefix.patch_series.partition import RuleSelector, partition_rules
from placefix.report.diff import patch
from placefix.report.output_stream import OutputStream
from placefix.runner import FileResult
from placefix.session import Session
from placefix.source import Source

if TYPE_CHECKING:
    from collections.abc import Iterable

    from placefix.engine import FixSelector

# A rule that stands alone (the AMP namespace), and two that meet (the wrap, and the `.cuda()` that moves).
TRAIN = """\
import torch
from torch import nn


def save(model, path):
    torch.save(model.state_dict(), path)


def train(data):
    model = nn.Linear(2, 2)
    model = nn.DataParallel(model)
    model.cuda()
    for x in data:
        model(x.cuda()).sum().backward()
    return model


def scale(data):
    print("a line")
    print("another one")
    print("and one more")
    with torch.cuda.amp.autocast():
        print("a line")
        print("another one")


if __name__ == "__main__":
    train([torch.zeros(1, 2)])
"""


@pytest.fixture(autouse=True)
def _here(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    (tmp_path / "w").mkdir()
    monkeypatch.chdir(tmp_path / "w")
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    monkeypatch.setenv("PLACEFIX_CACHE_DIR", str(tmp_path / "cache"))
    monkeypatch.setattr(sys, "stdout", sys.__stdout__)  # Stream writes bytes


def session(*paths: str, options: Options | None = None) -> Session:
    return Session(paths or ["."], Configs(options or Options()), OutputStream(colour=False))


def split(by: str, *paths: str, options: Options | None = None, force: bool = False) -> list[Path]:
    """The patches of the files here; nothing else is written."""
    before = texts()
    assert session(*paths, options=options).split(by, "../out", force=force) == 1
    assert texts() == before
    found = sorted(Path("../out").glob("*.patch"))
    names = {path.stem for path in Path("../out").iterdir()}
    assert names == {"0000-overview", *(path.stem for path in found)}
    return found


def texts() -> dict[str, bytes]:
    return snapshot(Path(), sorted(str(path) for path in Path().rglob("*") if path.is_file()))


def applied(patches: Iterable[Path]) -> dict[str, bytes]:
    """The files here after the patches, one after the other; then they are as they were."""
    before = texts()
    for one in patches:
        git("apply", str(one), cwd=Path())
    after = texts()
    for name, data in before.items():
        Path(name).write_bytes(data)
    return after


def repaired(options: Options | None = None) -> dict[str, bytes]:
    """The files here after `apply`; then they are as they were."""
    before = texts()
    assert session(options=options).apply("concise") in (0, 2)
    after = texts()
    for name, data in before.items():
        Path(name).write_bytes(data)
    return after


def titles() -> list[str]:
    lines = Path("../out/0000-overview.md").read_text().splitlines()
    return [line.split(" | ")[1] for line in lines if line.startswith("| [")]


# By rule


def test_rules_in_any_order() -> None:
    Path("t.py").write_text(TRAIN)
    Path("u.py").write_text("import torch\n\nprint(torch.zeros(1).cuda())\n")
    patches = split("rule")
    assert titles() == ["PF401 hardcoded-cuda-call", "PF404 cuda-amp-namespace", "PF102 + PF401"]
    whole = repaired()
    for order in itertools.permutations(patches):
        assert applied(order) == whole
    for one in patches:
        alone = applied([one])
        assert alone != texts()
        compile(alone["t.py"], "t.py", "exec")
    git("apply", *map(str, patches), cwd=Path())
    assert texts() == whole
    said = Path("../out/0003-pf102-pf401.md").read_text()
    assert "one without the other would not apply" in said and "- `t.py`: PF102 × 1, PF401 × 2" in said
    assert "one without the other" not in Path("../out/0002-pf404-cuda-amp-namespace.md").read_text()


@pytest.mark.proof  # every file of the corpus, rule by rule
def test_rules_of_the_corpus() -> None:
    for path in (ROOT / "corpus" / "scripts").glob("*.diff"):
        shutil.copy(path.with_suffix(".py"), ".")
    options = Options(unsafe_fixes=True)
    patches = split("rule", options=options)
    whole = repaired(options)
    assert len(patches) > 20
    for seed in range(2):
        assert applied(random.Random(seed).sample(patches, len(patches))) == whole
    before = texts()
    for one in patches:
        git("apply", str(one), cwd=Path())
        for line in one.read_bytes().split(b"\n"):
            if line.startswith(b"+++ b/"):
                name = line[6:].decode().strip()
                compile(Path(name).read_bytes(), name, "exec")
                Path(name).write_bytes(before[name])
    assert texts() == before


def test_what_builds_on_a_first_step_stays_with_it() -> None:
    Path("t.py").write_text(
        (ROOT / "tests" / "cases" / "PF501" / "forward_tensors.py").read_text().replace("# rules", "# no")
    )
    patches = split("rule", options=Options(add_placement=True))
    assert len(patches) == 1 and titles()[0].endswith("PF501")
    assert applied(patches) == repaired(Options(add_placement=True))


def test_what_cannot_be_parsed() -> None:
    Path("t.py").write_text(
        "import torch\nx = torch.zeros(1)\nx = x.cuda(async=True)\nprint(1)\n" + "\n" * 9 + "y = torch.ones(1).cuda()\n"
    )
    patches = split("rule")
    assert titles() == ["PF400 + PF401"]
    assert applied(patches) == repaired()


def test_other_ends_of_lines_and_notebooks() -> None:
    Path("t.py").write_bytes(TRAIN.replace("\n", "\r\n").removesuffix("\n").encode())
    Path("ü b.py").write_bytes(b"\xef\xbb\xbf" + TRAIN.removesuffix("\n").encode())
    cells = [nbformat.v4.new_code_cell(part, id=f"c{n}") for n, part in enumerate(TRAIN.split("\n\n\n"))]
    Path("n.ipynb").write_text(nbformat.writes(nbformat.v4.new_notebook(cells=cells)))
    patches = split("rule")
    whole = repaired()
    assert sum(whole[name] != data for name, data in texts().items()) == 3
    for order in itertools.permutations(patches):
        assert applied(order) == whole


def test_groups_by_chance(tmp_path: Path) -> None:
    """Edits of single lines in files of few different lines: much of what git looks for is there more than once."""
    chance = random.Random(5)
    rules = [Rule(f"PF{number}", f"r{number}", "", Severity.STYLE, (), lambda _: ()) for number in (1, 2, 3)]
    apart = 0
    for number in range(120):
        lines = [chance.choice("ab") + "\n" for _ in range(chance.randrange(1, 40))]
        if chance.random() < 0.2:
            lines[-1] = "z"
        source = Source("".join(lines), "t.py")
        edits = {
            at: (chance.choice(rules), chance.choice(["", "x\n", "x\ny\n"]))
            for at in chance.sample(range(len(lines)), min(len(lines), 4))
        }

        def fixed(
            codes: Iterable[str],
            lines: list[str] = lines,
            source: Source = source,
            edits: dict[int, tuple[Rule, str]] = edits,
        ) -> FileResult:
            mine = {at: new for at, (rule, new) in edits.items() if rule.code in codes}
            text = "".join(mine.get(at, line) for at, line in enumerate(lines))
            found = tuple(rule.diagnostic(Span(0, 0), "") for rule, _ in edits.values() if rule.code in codes)
            target = Target("t.py", "/t.py", Configs(Options()).at("/"))
            return FileResult(target, Changed(text, found, ()) if text != source.text else Unchanged(), source)

        def again(_: FileResult, choice: FixSelector, fixed=fixed) -> FileResult:  # type: ignore[no-untyped-def]
            assert isinstance(choice, RuleSelector)
            return fixed(choice._codes)

        whole = fixed([rule.code for rule in rules])
        if not isinstance(whole.outcome, Changed):
            continue
        found = partition_rules(whole, again)
        apart += len(found) > 1
        folder = tmp_path / str(number)
        folder.mkdir()
        for nth, (_, result) in enumerate(found):
            (folder / f"{nth}.patch").write_bytes(patch(b"t.py", *result.before_after()))
        for order in itertools.permutations(range(len(found))) if len(found) > 1 else ():
            (folder / "t.py").write_text(source.text)
            for nth in order:
                git("apply", f"{nth}.patch", cwd=folder)
            assert (folder / "t.py").read_text() == whole.outcome.text, (number, order)
    assert apart > 10


# By folder


def plant(*names: str, text: str = "import torch\n\nprint(torch.zeros(1).cuda())\n") -> None:
    for name in names:
        Path(name).parent.mkdir(parents=True, exist_ok=True)
        Path(name).write_text(text)


@pytest.mark.parametrize(("paths", "expected"), [
    ((), ["./ (its own files)", "a/", "b c/"]),
    (("a",), ["a/ (its own files)", "a/x/", "a/y/"]),
    (("a/x", "b c/t.py", "b c/u.py"), ["a/x/ (its own files)", "a/x/deep/", "b c/ (its own files)"]),
    (("a/t.py", "a/x"), ["a/ (its own files)", "a/x/ (its own files)", "a/x/deep/"]),
])  # fmt: skip
def test_folders(paths: tuple[str, ...], expected: list[str]) -> None:
    plant("t.py", "u.py", "a/t.py", "a/x/t.py", "a/x/deep/t.py", "a/y/t.py", "b c/t.py", "b c/u.py")
    patches = split("dir", *paths)
    assert titles() == expected
    assert [path.name[:4] for path in patches] == [f"{number:04}" for number in range(1, len(patches) + 1)]
    for order in itertools.permutations(patches):
        after = applied(order)
        assert all(b"cuda()" not in after[name] for name in after) == (paths == ())
    if not paths:
        assert applied(patches) == repaired()


# By owner

CODEOWNERS = """\
# everything, unless said otherwise
*            @all   # but for what follows
/a/          @ann @org/team-a
deep/        bob@example.com
/a/x/deep/own.py
docs/*       @docs
"""


@pytest.mark.parametrize("place", [".github/CODEOWNERS", "CODEOWNERS", "docs/CODEOWNERS", ".gitlab/CODEOWNERS"])
def test_owners(place: str) -> None:
    git("init", "-q", cwd=Path())
    plant("t.py", "a/t.py", "a/x/deep/t.py", "a/x/deep/own.py", "a/own.py", "docs/t.py", "docs/sub/t.py")
    plant(place, text=CODEOWNERS)
    patches = [path.resolve() for path in split("owner")]
    assert titles() == ["@all", "@ann, @org/team-a", "@docs", "bob@example.com", "unowned"]
    listed = {
        path.stem: [line for line in path.with_suffix(".md").read_text().splitlines() if line.startswith("- `")]
        for path in patches
    }
    assert listed == {
        "0001-all": ["- `docs/sub/t.py`: PF401 × 1", "- `t.py`: PF401 × 1"],
        "0002-ann-org-team-a": ["- `a/own.py`: PF401 × 1", "- `a/t.py`: PF401 × 1"],
        "0003-docs": ["- `docs/t.py`: PF401 × 1"],
        "0004-bob-example-com": ["- `a/x/deep/t.py`: PF401 × 1"],
        "0005-unowned": ["- `a/x/deep/own.py`: PF401 × 1"],
    }
    for path in patches:
        git("apply", str(path), cwd=Path())
    assert not any(b"cuda()" in data for name, data in texts().items() if name.endswith(".py") and ".git/" not in name)


def test_the_first_codeowners_counts() -> None:
    plant("docs/CODEOWNERS", text="* @docs\n")
    plant("CODEOWNERS", text="* @root\n")
    assert OwnerLookup().of(str(Path("x.py").absolute())) == ("@root",)  # no work tree: the folder of the run
    plant(".github/CODEOWNERS", text="* @hub\n")
    assert OwnerLookup().of(str(Path("sub/x.py").absolute())) == ("@hub",)


def test_nobody_knows_of_owners(monkeypatch: pytest.MonkeyPatch, capfdbinary: pytest.CaptureFixture[bytes]) -> None:
    plant("t.py")

    def refused() -> str:
        with pytest.raises(SystemExit) as stop:
            session().split("owner", "../out", force=False)
        assert stop.value.code == 2 and not Path("../out").exists()
        return capfdbinary.readouterr().err.decode()

    assert refused().startswith("error: there is no CODEOWNERS in ")
    plant("CODEOWNERS", text="[a @b\n")
    assert refused() == "error: CODEOWNERS: unterminated character class in pattern [a\n"
    monkeypatch.setitem(sys.modules, "codeowners", None)
    assert refused() == "error: --split-by owner needs codeowners: pip install 'placefix[owners]'\n"


# What is written, and where


def test_the_folder_is_not_written_over(capfdbinary: pytest.CaptureFixture[bytes]) -> None:
    plant("a/t.py", "b/t.py")
    split("dir")
    Path("../out/notes.txt").write_text("mine")
    before = {path.name: path.read_bytes() for path in Path("../out").iterdir()}
    with pytest.raises(SystemExit) as stop:
        session().split("dir", "../out", force=False)
    assert stop.value.code == 2
    assert (
        capfdbinary.readouterr()
        .err.decode()
        .endswith("error: ../out is not empty (--force replaces the patches of an earlier run in it)\n")
    )
    assert {path.name: path.read_bytes() for path in Path("../out").iterdir()} == before
    assert session("a").split("dir", "../out", force=True) == 1
    assert sorted(path.name for path in Path("../out").iterdir()) == [
        "0000-overview.md", "0001-a-its-own-files.md", "0001-a-its-own-files.patch", "notes.txt",
    ]  # fmt: skip


def test_nothing_to_fix_makes_no_folder() -> None:
    plant("t.py", text="x = 1\n")
    assert session().split("rule", "../out", force=False) == 0
    assert not Path("../out").exists()


def test_a_file_that_fails_is_an_error_and_no_part(capfdbinary: pytest.CaptureFixture[bytes]) -> None:
    plant("t.py")
    plant("s.py", text="x.cuda(\n")
    assert session().split("rule", "../out", force=False) == 2
    assert titles() == ["PF401 hardcoded-cuda-call"]
    assert capfdbinary.readouterr().out == b"../out/0001-pf401-hardcoded-cuda-call.patch\n"


def test_a_page(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rule_selection, "RULES", FAKES)
    monkeypatch.setattr(patch_series, "RULES", FAKES)
    plant("a`b.py", text="model.cuda()\nrisky.cuda()\nkept.cuda()\nshown.cuda()\n")
    plant("c.py", text="model.cuda()\n")
    split("rule", options=Options(unsafe_fixes=True))
    text = Path("../out/0001-pf901-fake-cuda.md").read_text()
    assert (
        text.replace(placefix.__version__, "VERSION")
        == """\
# Device placement: PF901 fake-cuda

Repairs 3 findings of placefix VERSION in 2 files. Patch 1 of 1: [0001-pf901-fake-cuda.patch](0001-pf901-fake-cuda.patch).

## What and why

| Rule | Findings | Unsafe fixes | |
|---|---:|---:|---|
| PF901 fake-cuda | 3 | 1 | Something is on CUDA. |

**PF901** Because the *test* says so.

And it says so twice.

## Files

- `` a`b.py ``: PF901 × 2
- `c.py`: PF901 × 1

## Unsafe fixes

They rest on a premise that is not proven: please check it.

- `` a`b.py `` PF901: `risky` is on CUDA; **premise**: risky may be anything

## Left to a person

Found in these files, and not repaired. Positions are those after the whole series.

- `` a`b.py:3:1 `` PF901: `kept` is on CUDA; kept is meant to stay there
- `` a`b.py:4:1 `` PF901: `shown` is on CUDA; a suggestion: Move `shown` to the device

## Apply and check

In the folder in which placefix ran (here `w`), apply the patch alone, before or after the others:

    git apply FOLDER/0001-pf901-fake-cuda.patch

where FOLDER is the folder of this page. Then `git diff` shows the changes, `placefix check` the remaining findings, and
`placefix verify SCRIPT` runs a script on a simulated machine with CUDA devices.
"""
    )


# From outside


def test_the_command(tmp_path: Path) -> None:
    (tmp_path / "w" / "a.py").write_text("model.cuda()\n")
    done = run("apply", "--diff", "--split-by", "dir", "--output-dir", "out", ".", cwd=tmp_path / "w")
    assert (done.returncode, done.stdout) == (1, b"out/0001-its-own-files.patch\n")
    assert done.stderr == b"Would fix 1 problem in 1 file in 1 piece.\n"
    assert (tmp_path / "w" / "a.py").read_text() == "model.cuda()\n"
    assert b"+model.to(device)" in (tmp_path / "w" / "out" / "0001-its-own-files.patch").read_bytes()


@pytest.mark.parametrize("arguments", [
    ["--split-by", "dir", "--output-dir", "out"],
    ["--diff", "--split-by", "dir"],
    ["--diff", "--output-dir", "out"],
    ["--diff", "--force"],
    ["--diff", "--split-by", "size", "--output-dir", "out"],
    ["--diff", "--split-by", "dir", "--output-dir", "out", "-"],
    ["--diff", "--split-by", "dir", "--output-dir", "out", "-o", "x"],
    ["--diff", "--split-by", "dir", "--output-dir", "a.py"],
])  # fmt: skip
def test_bad_usage(tmp_path: Path, arguments: list[str]) -> None:
    (tmp_path / "w" / "a.py").write_text("model.cuda()\n")
    done = run("apply", *arguments, cwd=tmp_path / "w", stdin=b"x = 1\n")
    assert (done.returncode, done.stdout) == (2, b"") and b"Traceback" not in done.stderr
    assert (tmp_path / "w" / "a.py").read_text() == "model.cuda()\n" and not (tmp_path / "w" / "out").exists()
