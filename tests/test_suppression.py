"""Suppression comments: what each silences, and what it does not."""

from __future__ import annotations

import ast
import contextlib

import pytest

from fakes import CUDA
from placefix import engine
from placefix.diagnostic import Severity, Span
from placefix.settings import Settings
from placefix.source import Source
from placefix.suppression import Suppressions


def covered(text: str, at: str = "x.cuda()") -> bool:
    """Whether a PF901 finding at the first `at` of `text` is silenced."""
    source = Source(text)
    start = text.index(at)
    diagnostic = CUDA.diagnostic(Span(start, start + len(at)), "", severity=Severity.ERROR)
    answer = Suppressions(source).covers(diagnostic)
    with contextlib.suppress(SyntaxError):
        assert Suppressions(source, ast.parse(text)).covers(diagnostic) == answer
    return answer


SILENCED = {
    "trailing": "x.cuda()  # placefix: ignore[PF901]\n",
    "trailing with a reason": "x.cuda()  # placefix: ignore[PF901] the GPU is given\n",
    "prefix": "x.cuda()  # placefix: ignore[PF9]\n",
    "one of several": "x.cuda()  # placefix: ignore[PF1, PF901]\n",
    "lower case, tight": "x.cuda()#placefix:ignore[pf901]\n",
    "bare": "x.cuda()  # placefix: ignore\n",
    "bare with a reason": "x.cuda()  # placefix: ignore because\n",
    "after another comment": "x.cuda()  # type: ignore # placefix: ignore[PF901]\n",
    "own line": "# placefix: ignore[PF901]\nx.cuda()\n",
    "own line, blank and comment between": "# placefix: ignore[PF901]\n\n# why\nx.cuda()\n",
    "own line, indented": "if a:\n    # placefix: ignore[PF901]\n    x.cuda()\n",
    "own line above a compound statement": "# placefix: ignore[PF901]\nwith x.cuda():\n    pass\n",
    "end of a statement of several lines": "f(\n    x.cuda(),\n    2,\n)  # placefix: ignore[PF901]\n",
    "inside a statement of several lines": "f(\n    x.cuda(),\n    # placefix: ignore[PF901]\n    2,\n)\n",
    "after a continuation": "y = \\\n    x.cuda()  # placefix: ignore[PF901]\n",
    "end of a string of several lines": 's = """\n""" + x.cuda()  # placefix: ignore[PF901]\n',
    "line that starts inside another statement": "a = (1,\n2); x.cuda(); b = (3,\n4)  # placefix: ignore[PF901]\n",
    "after a header of several lines": "if (x.cuda() and\n        y):  # placefix: ignore[PF901]\n    pass\n",
    "in the body of one line": "for y in (x.cuda(),\n          2): z = (1,\n    2)  # placefix: ignore[PF901]\n",
    "above an else": "if a:\n    b\n    # placefix: ignore[PF901]\nelif x.cuda():\n    pass\n",
    "above a decorator": "def f():\n    a\n# placefix: ignore[PF901]\n@x.cuda()\n@b\ndef g(): pass\n",
    "one line, two statements": "a = 1; x.cuda()  # placefix: ignore[PF901]\n",
    "two own-line comments add up": "# placefix: ignore[PF1]\n# placefix: ignore[PF901]\nx.cuda()\n",
    "file": "x.cuda()\n# placefix: file-ignore[PF901]\n",
    "file, bare": "# placefix: file-ignore\nx.cuda()\n",
    "file, trailing": "import a  # placefix: file-ignore[PF9] generated\nx.cuda()\n",
    "noqa with the code": "x.cuda()  # noqa: PF901\n",
    "noqa with codes": "x.cuda()  # noqa: E501,PF901 both\n",
    "noqa, bare": "x.cuda()  # noqa\n",
    "noqa, odd spelling": "x.cuda()  #NOQA:pf901\n",
    "no final newline": "x.cuda()  # placefix: ignore[PF901]",
    "carriage returns": "a = 1\r\nx.cuda()  # placefix: ignore[PF901]\r\n",
    "lone carriage returns": "a = 1\rx.cuda()  # placefix: ignore[PF901]\rb = 2\r",
    "form feed": "a = 1\n\f\nx.cuda()  # placefix: ignore[PF901]\n",
    "wide characters before": "s = '日本'; x.cuda()  # placefix: ignore[PF901]\n",
}

HEARD = {
    "nothing said": "x.cuda()\n",
    "other code": "x.cuda()  # placefix: ignore[PF101]\n",
    "longer code": "x.cuda()  # placefix: ignore[PF9011]\n",
    "empty list": "x.cuda()  # placefix: ignore[]\n",
    "line before": "a = 1  # placefix: ignore[PF901]\nx.cuda()\n",
    "line after": "x.cuda()\na = 1  # placefix: ignore[PF901]\n",
    "own line after": "x.cuda()\n# placefix: ignore[PF901]\n",
    "own line speaks for one statement only": "# placefix: ignore[PF901]\na = 1\nx.cuda()\n",
    "in a string": "f('# placefix: ignore[PF901]'); x.cuda()\n",
    "in a string of several lines": 'f("""\n# placefix: ignore\n""", x.cuda())\n',
    "body does not speak for the header": "with x.cuda():\n    pass  # placefix: ignore[PF901]\n",
    "header does not speak for the body": "with a:  # placefix: ignore[PF901]\n    x.cuda()\n",
    "other file code": "# placefix: file-ignore[PF1]\nx.cuda()\n",
    "noqa of another tool": "x.cuda()  # noqa: E501\n",
    "noqa on its own line": "# noqa: PF901\nx.cuda()\n",
    "another tool's file-wide noqa": "# ruff: noqa\nx.cuda()\n",
    "a word that begins like it": "x.cuda()  # placefix: ignored by nobody\n",
}


@pytest.mark.parametrize("text", SILENCED.values(), ids=SILENCED)
def test_silenced(text: str) -> None:
    assert covered(text)


@pytest.mark.parametrize("text", HEARD.values(), ids=HEARD)
def test_heard(text: str) -> None:
    assert not covered(text)


def test_finding_that_spans_statements_is_about_its_first() -> None:
    text = "x.cuda()\na = 1  # placefix: ignore[PF901]\n"
    assert not covered(text, "x.cuda()\na = 1")


def test_what_tokenize_cannot_read_is_read_line_by_line() -> None:
    # An unclosed bracket further down: no file that parses, but whatever ast may one day accept.
    assert covered("x.cuda()  # placefix: ignore[PF901]\ny = (\n")
    assert not covered("x.cuda()\ny = (\n# placefix: ignore[PF901]\n")


def test_the_fix_of_a_silenced_finding_is_not_applied() -> None:
    text = "x.cuda()  # placefix: ignore[PF901]\ny.cuda()\n"
    outcome = engine.fix(Source(text), Settings(), [CUDA])
    assert isinstance(outcome, engine.Changed)
    assert outcome.text == "x.cuda()  # placefix: ignore[PF901]\ny.to(device)\n"
