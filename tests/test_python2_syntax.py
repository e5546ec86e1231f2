"""Old code: what does not parse and can be mended (PF400), and what is named and left alone."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

import placefix
from placefix import python2_syntax
from placefix.cli import app
from placefix.engine import Changed, ParseError, Skipped

if TYPE_CHECKING:
    from pathlib import Path

ASYNC = "import torch\n\n\ndef move(x):\n    return x.cuda(async=True)\n"

PYTHON_2 = [
    (2, "a print statement", 'import torch\nprint "loss", torch.zeros(1).cuda()\n'),
    (1, "a print statement", "if x: print x.cuda()\n"),
    (1, "a print statement", "print >>sys.stderr, x.cuda()\nexec code\n"),
    (1, "an exec statement", 'exec "x.cuda()"\n'),
    (3, "except with a comma", "try:\n    x.cuda()\nexcept RuntimeError, e:\n    pass\n"),
    (3, "except with a comma", "try:\n    x.cuda()\nexcept (RuntimeError, IOError), e:\n    pass\n"),
    (1, "raise with a comma", 'raise ValueError, "x.cuda()"\n'),
    (1, "backticks", "name = `x.cuda()`\n"),
    (1, "the operator <>", "if a <> b: x.cuda()\n"),
    (1, "an octal number", "os.chmod(path, 0755)\nx.cuda()\n"),
    (1, "a long number", "x = 10L\nx.cuda()\n"),
    (1, "a ur string", "x = ur'\\d'\nx.cuda()\n"),
]


@pytest.mark.parametrize(("row", "what", "text"), PYTHON_2)
def test_python_2_is_named_and_left_alone(row: int, what: str, text: str) -> None:
    for variant in (text, text.replace("x.cuda()", "x.cuda(async=True)")):
        outcome = placefix.fix_source(variant)
        assert isinstance(outcome, Skipped)
        assert (outcome.reason, outcome.row) == (f"line {row}: cannot be parsed as Python 3: Python 2 ({what})", row)
        with pytest.raises(ParseError, match="Python 2"):
            placefix.check_source(variant)


@pytest.mark.parametrize(
    "text",
    [
        "print(x)\n",
        "print\n",
        "print if x else y\n",
        "print and x\n",
        "print -1\n",
        "exec(code)\n",
        "exec = 3\n",
        "try:\n    pass\nexcept (A, B):\n    pass\n",
        "raise ValueError(a, b)\n",
        "x = 0\ny = 00\nz = 0o17 + 0x10 + 1e5 + 1_000 + 0.5 + 012.5 + 1j\n",
        "s = u'a' + rb'b'.decode() + '''print x''' + 'a <> b' + '`'\n",
        "x = {'print': 'a'}; f(print, x)\n",
        "f(print, \\\n  x)\nlambda: print\n",
        "# print x, 10L\n",
    ],
)
def test_python_3_has_nothing_of_python_2(text: str) -> None:
    compile(text, "<text>", "exec")
    assert python2_syntax.find_python2_syntax(text) is None


def test_what_cannot_be_mended_says_so() -> None:
    text = "def cuda(x, device=None, async=False):\n    return x.cuda(device, async=False)\n"
    outcome = placefix.fix_source(text)
    assert isinstance(outcome, Skipped)
    assert outcome.reason == "line 1: cannot be parsed as Python 3: `async` is a keyword since Python 3.7"
    broken = placefix.fix_source("x.cuda(async=True)\ny = (\n")
    assert isinstance(broken, Skipped)


def test_a_suppressed_argument_leaves_the_file_as_it_is() -> None:
    text = "x = x.cuda(async=True)  # placefix: ignore[PF400] vendored\ny = y.cuda(async=True)\n"
    outcome = placefix.fix_source(text)
    assert isinstance(outcome, Skipped)
    assert outcome.reason == "line 1: cannot be parsed as Python 3: `async` is a keyword since Python 3.7"
    assert isinstance(placefix.fix_source("# placefix: file-ignore\n" + ASYNC), Skipped)
    assert isinstance(placefix.fix_source(ASYNC, options=placefix.Options(ignore=("PF400",))), Skipped)


def test_from_python() -> None:
    (found,) = placefix.check_source(ASYNC)
    assert found.code == "PF400"
    assert found.fix is not None
    assert ASYNC[found.span.start : found.span.end] == "async"
    outcome = placefix.fix_source(ASYNC, options=placefix.Options(select=("PF400",)))
    assert outcome == Changed(ASYNC.replace("async", "non_blocking"), (found,), ())
    both = placefix.fix_source(ASYNC, options=placefix.Options(unsafe_fixes=True))
    assert isinstance(both, Changed)
    assert [d.code for d in both.applied] == ["PF400", "PF401"]
    assert "return x.to(device, non_blocking=True)" in both.text


@pytest.mark.parametrize("newline", ["\r\n", "\r"])
def test_bytes_around_stay(newline: str, tmp_path: Path) -> None:
    path = tmp_path / "old.py"
    before = b"\xef\xbb\xbf" + ASYNC.replace("\n", newline).encode() + "\t# \u00e9".encode()
    path.write_bytes(before)
    (result,) = placefix.fix_paths([path], options=placefix.Options(select=("PF400",)), isolated=True)
    assert result.written
    assert path.read_bytes() == before.replace(b"async", b"non_blocking")


def run(*arguments: str) -> int:
    with pytest.raises(SystemExit) as stop:
        app(list(arguments), prog_name="placefix")
    return int(str(stop.value.code or 0))


def test_on_the_command_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "old.py").write_text(ASYNC)
    (tmp_path / "python2.py").write_text('import torch\nprint "x"\nx.cuda()\n')
    select = ["--isolated", "--select", "PF400,PF401"]

    assert run("check", "--output-format", "json", *select, ".") == 2
    said = capsys.readouterr()
    assert "python2.py:2:1: cannot be parsed as Python 3: Python 2 (a print statement)" in said.err
    (finding,) = json.loads(said.out)
    assert finding["code"] == "PF400"
    assert finding["location"] == {"row": 5, "column": 19}
    assert finding["fix"]["edits"] == [
        {"content": "non_blocking", "location": {"row": 5, "column": 19}, "end_location": {"row": 5, "column": 24}}
    ]

    assert run("check", *select, "old.py") == 1
    said = capsys.readouterr()
    assert "+    return x.cuda(non_blocking=True)" in said.out

    assert run("apply", "--diff", *select, "old.py") == 1
    said = capsys.readouterr()
    assert "-    return x.cuda(async=True)" in said.out
    assert "+    return x.to(device, non_blocking=True)" in said.out
    assert (tmp_path / "old.py").read_text() == ASYNC

    assert run("apply", *select, ".") == 2
    assert "return x.to(device, non_blocking=True)" in (tmp_path / "old.py").read_text()
    assert (tmp_path / "python2.py").read_text() == 'import torch\nprint "x"\nx.cuda()\n'
