"""The writer: programs before and after, in every layout that Python files come in."""

from __future__ import annotations

import ast
import random
import re
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import pytest

import oracle
from each import check_each
from placefix import engine
from placefix.diagnostic import Delete, Edit, Fix, Insert, Move, Replace, Span, Unwrap
from placefix.layout import why_protected
from placefix.rules import RULES
from placefix.settings import Settings
from placefix.source import Source
from placefix.text_edits import splice
from placefix.writer import RefusedError, Result, RewriteError, TextEdit, apply, resolve_fix, verify

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

# the scripts of our own that have something to fix
SCRIPTS = [
    path.with_suffix(".py")
    for path in sorted((Path(__file__).parent.parent / "corpus" / "scripts").glob("*.diff"))
    if path.stem != "async_keyword"  # PF400 mends what libcst, too, cannot read
]


class Program:
    """A program and the edits that name its parts by their code; ``\\n`` in code means its newline."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.newline = Source(text).newline

    def at(self, code: str, nth: int = 0) -> Span:
        code = code.replace("\n", self.newline)
        edge = (r"(?<!\w)" if code[0].isalnum() else "", r"(?!\w)" if code[-1].isalnum() else "")
        found = list(re.finditer(re.escape(code).join(edge), self.text))[nth]
        return Span(*found.span())

    def to(self, first: str, last: str) -> Span:
        """From the start of one piece of code to the end of the next other."""
        start = self.at(first).start
        return Span(start, next(s.end for n in range(9) if (s := self.at(last, n)).start > start))

    def replace(self, code: str, text: str, nth: int = 0) -> Replace:
        span = self.at(code, nth)
        return Replace(span, text.replace("\n", self.newline), self.text[span.start : span.end])

    def move(self, *codes: str, before: str = "", after: str = "", replace: tuple[Replace, ...] = ()) -> Move:
        anchor = self.at(before or after)
        return Move(tuple(map(self.at, codes)), anchor, "before" if before else "after", replace)

    def insert(self, text: str, before: str = "", after: str = "") -> Insert:
        return Insert(self.at(before or after), text, "before" if before else "after")

    def delete(self, *codes: str) -> Delete:
        return Delete(tuple(map(self.at, codes)))

    def unwrap(self, whole: Span, *codes: str, replace: tuple[Replace, ...] = ()) -> Unwrap:
        return Unwrap(whole, tuple(map(self.at, codes)), replace)


class Case(NamedTuple):
    name: str
    before: str
    edits: Callable[[Program], Sequence[Edit]]
    after: str


TRAIN = """\
import torch
import torch.nn as nn

# the network
model = Net()
optimizer = SGD(model.parameters())  # plain

# onto the GPU
model.cuda()  # now
for x, y in loader:
    optimizer.zero_grad()
    loss = model(x.cuda()).sum()
    loss.backward()
"""

GUARD = """\
def main():
    model = Net()
    # place it
    if use_cuda:  # the big machine

        # the move
        model.cuda(
            0,
        )  # done
        note = '''
        kept'''
        # the end
    else:
        # never mind
        print("cpu")
    return model
"""

CASES = [
    # --- replace
    Case(
        "an expression and a run of tokens",
        TRAIN,
        lambda p: [p.replace("model.cuda()", "model.to(device)"), p.replace("cuda()", "to(device)", 1)],
        TRAIN.replace("model.cuda()", "model.to(device)").replace("x.cuda()", "x.to(device)"),
    ),
    Case(
        "a base gets parentheses",
        "y = x.cuda()\n",
        lambda p: [p.replace("x", "a if b else c")],
        "y = (a if b else c).cuda()\n",
    ),
    Case("an operand gets parentheses", "y = x * 2\n", lambda p: [p.replace("x", "a + b")], "y = (a + b) * 2\n"),
    Case("an argument gets none", "f(x)\n", lambda p: [p.replace("x", "a + b")], "f(a + b)\n"),
    Case("its own parentheses stay", "y = (x).cuda()\n", lambda p: [p.replace("x", "a + b")], "y = (a + b).cuda()\n"),
    Case(
        "comments and lines inside survive",
        "y = f(\n    x,  # one\n    z.cuda(),  # two\n)\n",
        lambda p: [p.replace("z.cuda()", "z.to(device)")],
        "y = f(\n    x,  # one\n    z.to(device),  # two\n)\n",
    ),
    Case(
        "a wrapped call over several lines",
        "if a:\n    m = DP(\n        Net(1,  # in\n            2)\n    ).cuda()  # end\n",
        lambda p: [
            p.replace(
                "DP(\n        Net(1,  # in\n            2)\n    ).cuda()",
                "DP(\n        Net(1,  # in\n            2).to(device)\n    )",
            )
        ],
        "if a:\n    m = DP(\n        Net(1,  # in\n            2).to(device)\n    )  # end\n",
    ),
    Case(
        "backslash continuations",
        "y = x.cuda() + \\\n    z.cuda()\n",
        lambda p: [p.replace("z.cuda()", "z.to(device)")],
        "y = x.cuda() + \\\n    z.to(device)\n",
    ),
    Case(
        "headers of every kind",
        "if a.cuda():\n    pass\nelif b.cuda():  # x: y\n    pass\nfor c in d.cuda():\n    pass\nwhile e.cuda(): pass\nwith f.cuda() as g:\n    pass\n",
        lambda p: [p.replace(f"{n}.cuda()", f"{n}.to(device)") for n in "abdef"],
        "if a.to(device):\n    pass\nelif b.to(device):  # x: y\n    pass\nfor c in d.to(device):\n    pass\nwhile e.to(device): pass\nwith f.to(device) as g:\n    pass\n",
    ),
    Case(
        "headers of definitions",
        "@dec(a.cuda())\ndef f(x=b.cuda(), *, y) -> c.cuda():\n    pass\n\n\nclass A(d.cuda()):\n    pass\n",
        lambda p: [p.replace(f"{n}.cuda()", f"{n}.to(device)") for n in "abcd"],
        "@dec(a.to(device))\ndef f(x=b.to(device), *, y) -> c.to(device):\n    pass\n\n\nclass A(d.to(device)):\n    pass\n",
    ),
    Case(
        "handlers and cases",
        "try:\n    pass\nexcept f(a.cuda()) as e:\n    pass\nmatch b.cuda():\n    case A() if c.cuda():\n        pass\n",
        lambda p: [p.replace(f"{n}.cuda()", f"{n}.to(device)") for n in "abc"],
        "try:\n    pass\nexcept f(a.to(device)) as e:\n    pass\nmatch b.to(device):\n    case A() if c.to(device):\n        pass\n",
    ),
    Case(
        "one of several statements on a line",
        "a = 1; b = x.cuda(); c = 2\n",
        lambda p: [p.replace("x.cuda()", "x.to(device)")],
        "a = 1; b = x.to(device); c = 2\n",
    ),
    # --- insert
    Case(
        "before goes above the comments",
        TRAIN,
        lambda p: [p.insert("device = d()", before="model.cuda()")],
        TRAIN.replace("# onto", "device = d()\n\n# onto"),
    ),
    Case(
        "after goes below the trailing comment",
        TRAIN,
        lambda p: [p.insert("a = 1\nb = 2", after="model.cuda()")],
        TRAIN.replace("# now\n", "# now\na = 1\nb = 2\n"),
    ),
    Case(
        "at a loop's top",
        TRAIN,
        lambda p: [p.insert("x, y = x.to(device), y.to(device)", before="optimizer.zero_grad()")],
        TRAIN.replace("    optimizer.zero", "    x, y = x.to(device), y.to(device)\n    optimizer.zero"),
    ),
    Case(
        "after a compound statement",
        "if a:\n    b\n    # of the body\n\n    # too\n# below\nc\n",
        lambda p: [p.insert("x = 1", after="if a:\n    b")],
        "if a:\n    b\n    # of the body\n\n    # too\nx = 1\n# below\nc\n",
    ),
    Case(
        "a blank line above, after the imports",
        TRAIN,
        lambda p: [p.insert("\ndevice = d()", after="import torch.nn as nn")],
        TRAIN.replace("as nn\n", "as nn\n\ndevice = d()\n"),
    ),
    Case(
        "a blank line is not doubled",
        "import a\n\n# c\nb = 1\n",
        lambda p: [p.insert("\ndevice = d()\n", before="b = 1")],
        "import a\n\ndevice = d()\n\n# c\nb = 1\n",
    ),
    Case(
        "blank lines on both sides",
        "import a\nb = 1\n",
        lambda p: [p.insert("\ndevice = d()\n", after="import a")],
        "import a\n\ndevice = d()\n\nb = 1\n",
    ),
    Case(
        "a block in a block",
        "def f():\n    a\n    return b\n",
        lambda p: [p.insert("if c:\n    d = '''\nx'''\n\n    e", before="return b")],
        "def f():\n    a\n    if c:\n        d = '''\nx'''\n\n        e\n    return b\n",
    ),
    Case(
        "several at one place, in order",
        "a\nb\n",
        lambda p: [p.insert("x", before="b"), p.insert("y", before="b"), p.insert("z", before="b")],
        "a\nx\ny\nz\nb\n",
    ),
    Case("between two on a line", "a; b  # c\n", lambda p: [p.insert("x", before="b")], "a\nx\nb  # c\n"),
    Case(
        "beside the ends of a line",
        "a; b  # c\n",
        lambda p: [p.insert("x", before="a"), p.insert("y", after="b")],
        "x\na; b  # c\ny\n",
    ),
    Case(
        "in a one-line suite",
        "if a: b; c\nelse: d\n",
        lambda p: [p.insert("x", before="b")],
        "if a:\n    x\n    b; c\nelse: d\n",
    ),
    Case(
        "inside a one-line suite",
        "if a: b; c\nelse: d\n",
        lambda p: [p.insert("x", after="b")],
        "if a:\n    b\n    x\n    c\nelse: d\n",
    ),
    Case(
        "behind a one-line suite",
        "for a in b: c  # d\n",
        lambda p: [p.insert("x", after="c")],
        "for a in b:\n    c  # d\n    x\n",
    ),
    Case(
        "before a decorated function",
        "a = 1\n\n\n# why\n@dec\ndef f():\n    pass\n",
        lambda p: [p.insert("x = 1\n", before="@dec\ndef f():\n    pass")],
        "a = 1\n\n\nx = 1\n\n# why\n@dec\ndef f():\n    pass\n",
    ),
    # --- move
    Case(
        "up, comments along",
        TRAIN,
        lambda p: [p.move("model.cuda()", before="optimizer = SGD(model.parameters())")],
        TRAIN.replace("# onto the GPU\nmodel.cuda()  # now\n", "").replace(
            "optimizer = SGD", "# onto the GPU\nmodel.cuda()  # now\noptimizer = SGD"
        ),
    ),
    Case(
        "down, comments along",
        TRAIN,
        lambda p: [p.move("optimizer = SGD(model.parameters())", after="model.cuda()")],
        TRAIN.replace("optimizer = SGD(model.parameters())  # plain\n", "").replace(
            "# now\n", "# now\noptimizer = SGD(model.parameters())  # plain\n\n"
        ),
    ),
    Case(
        "a comment apart stays",
        "a\n\n# apart\n\n# own\nb\nc\n",
        lambda p: [p.move("b", before="a")],
        "# own\nb\na\n\n# apart\n\nc\n",
    ),
    Case(
        "a slice of neighbours as one block",
        "opt = 1\n\n# sched\nsched = 2\nrest\nmodel.cuda()\nend\n",
        lambda p: [p.move("opt = 1", "sched = 2", after="model.cuda()")],
        "rest\nmodel.cuda()\nopt = 1\n\n# sched\nsched = 2\nend\n",
    ),
    Case(
        "a slice with others between",
        "opt = 1  # o\nother\nsched = 2\nmodel.cuda()\n",
        lambda p: [p.move("opt = 1", "sched = 2", after="model.cuda()")],
        "other\nmodel.cuda()\nopt = 1  # o\nsched = 2\n",
    ),
    Case("blank lines do not pile up", "a\n\nb\n\nc\n", lambda p: [p.move("b", before="a")], "b\na\n\nc\n"),
    Case(
        "wider gaps win",
        "def a():\n    pass\n\n\nb\n\nc\n",
        lambda p: [p.move("b", after="c")],
        "def a():\n    pass\n\n\nc\nb\n",
    ),
    Case(
        "first of a suite",
        "def f():\n    a\n\n    b\n    c\n",
        lambda p: [p.move("a", after="b")],
        "def f():\n    b\n    a\n    c\n",
    ),
    Case(
        "last of a suite",
        "if x:\n    a\n\n    b\nelse:\n    c\n",
        lambda p: [p.move("b", before="a")],
        "if x:\n    b\n    a\nelse:\n    c\n",
    ),
    Case(
        "a whole guard",
        "a\nif cuda:  # g\n    b\n    # tail\nelse:\n    c\n    # tail too\nd\n",
        lambda p: [p.move("if cuda:  # g\n    b\n    # tail\nelse:\n    c", before="a")],
        "if cuda:  # g\n    b\n    # tail\nelse:\n    c\n    # tail too\na\nd\n",
    ),
    Case(
        "with a replacement on the way",
        TRAIN,
        lambda p: [
            p.move(
                "model.cuda()",
                before="optimizer = SGD(model.parameters())",
                replace=(p.replace("model.cuda()", "model.to(device)"),),
            )
        ],
        TRAIN.replace("# onto the GPU\nmodel.cuda()  # now\n", "").replace(
            "optimizer = SGD", "# onto the GPU\nmodel.to(device)  # now\noptimizer = SGD"
        ),
    ),
    Case(
        "over several lines",
        "a = 1\nb = f(\n    x,  # c\n\n    '''\n  s''',\n)\n",
        lambda p: [p.move("b = f(\n    x,  # c\n\n    '''\n  s''',\n)", before="a = 1")],
        "b = f(\n    x,  # c\n\n    '''\n  s''',\n)\na = 1\n",
    ),
    Case(
        "with a definition",
        "m = 1\nd = 2\nm.to(d)\nend\n",
        lambda p: [p.move("d = 2", before="m = 1"), p.move("m.to(d)", before="m = 1")],
        "d = 2\nm.to(d)\nm = 1\nend\n",
    ),
    Case(
        "with an insert at the same anchor",
        "m = 1\nm.to(d)\nend\n",
        lambda p: [p.insert("d = 2", before="m = 1"), p.move("m.to(d)", before="m = 1")],
        "d = 2\nm.to(d)\nm = 1\nend\n",
    ),
    Case("the first of a line", "# l\na; b  # c\nd\n", lambda p: [p.move("a", after="d")], "# l\nb  # c\nd\na\n"),
    Case("the middle of a line", "a; b; c\nd\n", lambda p: [p.move("b", after="d")], "a; c\nd\nb\n"),
    Case("the last of a line", "d\na; b  # c\n", lambda p: [p.move("b", before="d")], "b\nd\na  # c\n"),
    Case("all of a line", "# l\na; b  # c\nd\n", lambda p: [p.move("a", "b", after="d")], "d\n# l\na; b  # c\n"),
    Case("into the middle of a line", "a; b\nc\n", lambda p: [p.move("c", before="b")], "a\nc\nb\n"),
    Case("within a one-line suite", "if x: a; b\n", lambda p: [p.move("b", before="a")], "if x:\n    b\n    a\n"),
    Case(
        "a decorated function",
        "a = 1\n\n\n@dec\n# c\n@dec2\ndef f():\n    pass\n\n\nb = 2\n",
        lambda p: [p.move("@dec\n# c\n@dec2\ndef f():\n    pass", before="a = 1")],
        "@dec\n# c\n@dec2\ndef f():\n    pass\na = 1\n\n\nb = 2\n",
    ),
    # --- delete
    Case(
        "a statement with its comments",
        TRAIN,
        lambda p: [p.delete("model.cuda()")],
        TRAIN.replace("\n# onto the GPU\nmodel.cuda()  # now\n", "\n"),
    ),
    Case("the middle of a line goes", "a; b; c\n", lambda p: [p.delete("b")], "a; c\n"),
    Case(
        "a statement gives way to another",
        "a\nb\nc\n",
        lambda p: [p.insert("x", before="b"), p.delete("b")],
        "a\nx\nc\n",
    ),
    # --- unwrap
    Case(
        "a guard with its comments",
        GUARD,
        lambda p: [
            p.unwrap(
                p.to("if use_cuda", 'print("cpu")'),
                "model.cuda(\n            0,\n        )",
                "note = '''\n        kept'''",
                replace=(p.replace("cuda(\n            0,\n        )", "to(\n            device,\n        )"),),
            )
        ],
        "def main():\n    model = Net()\n    # place it\n    # the big machine\n\n    # the move\n    model.to(\n        device,\n    )  # done\n"
        "    note = '''\n        kept'''\n    # the end\n    return model\n",
    ),
    Case(
        "the else arm of a guard",
        GUARD,
        lambda p: [p.unwrap(p.to("if use_cuda", 'print("cpu")'), 'print("cpu")')],
        'def main():\n    model = Net()\n    # place it\n    # never mind\n    print("cpu")\n    return model\n',
    ),
    Case(
        "a one-line guard", "if a: b; c  # d\ne\n", lambda p: [p.unwrap(p.at("if a: b; c"), "b", "c")], "b; c  # d\ne\n"
    ),
    Case(
        "part of a guard",
        "if a:\n    b\n    c; d\n    # e\nf\n",
        lambda p: [p.unwrap(p.to("if a", "d"), "c")],
        "c\nf\n",
    ),
    Case(
        "a guard at the top, body nested",
        "if a:\n    for b in c:\n        d\n\n        e\n    # f\n",
        lambda p: [p.unwrap(p.to("if a", "e"), "for b in c:\n        d\n\n        e")],
        "for b in c:\n    d\n\n    e\n# f\n",
    ),
]
IDS = [case.name for case in CASES]


def fixed(text: str, *fixes: Sequence[Edit]) -> Result:
    source, tree = Source(text), ast.parse(text)
    made = [Fix(tuple(edits), "a fix") for edits in fixes]
    result = apply(source, tree, made)
    verify(tree, ast.parse(result.text), [made[index] for index in result.applied])
    return result


def one(text: str, edits: Sequence[Edit]) -> str:
    result = fixed(text, edits)
    assert result.applied == (0,), result
    return result.text


@pytest.mark.parametrize("case", CASES, ids=IDS)
def test_case(case: Case) -> None:
    """In every layout."""
    is_written(case)
    for newline in ("\r\n", "\r"):
        is_written_with_newlines(case, newline)
    is_written_with_tabs(case)
    is_written_in_a_function(case)
    is_written_without_final_newline(case)
    for newline in ("\n", "\r\n"):
        agrees_with_whole_file_libcst(case, newline)
    is_written_by_splices(case)


def is_written(case: Case) -> None:
    assert one(case.before, case.edits(Program(case.before))) == case.after


def is_written_with_newlines(case: Case, newline: str) -> None:
    before = case.before.replace("\n", newline)
    assert one(before, case.edits(Program(before))) == case.after.replace("\n", newline)


def tabbed(text: str) -> str:
    return re.sub(r"^(?:    )+", lambda m: "\t" * (len(m[0]) // 4), text, flags=re.MULTILINE)


class Tabbed(Program):
    def at(self, code: str, nth: int = 0) -> Span:
        return super().at(tabbed(code), nth)

    def replace(self, code: str, text: str, nth: int = 0) -> Replace:
        return super().replace(code, tabbed(text), nth)


def is_written_with_tabs(case: Case) -> None:
    before = tabbed("if indented:\n    pass\n" + case.before)
    assert one(before, case.edits(Tabbed(before))) == tabbed("if indented:\n    pass\n" + case.after)


def is_written_in_a_function(case: Case) -> None:
    """One level deeper everything is the same, multi-line strings excepted."""

    def deeper(text: str) -> str:
        return "def g():\n" + re.sub(r"^(?=[^\n])", "    ", text, flags=re.MULTILINE) + "    last()\n"

    if "'''" in case.before + case.after:
        return  # strings keep their lines
    before = deeper(case.before)

    class Deeper(Program):
        def at(self, code: str, nth: int = 0) -> Span:
            return super().at(code.replace("\n", "\n    ").replace("\n    \n", "\n\n"), nth)

        def replace(self, code: str, text: str, nth: int = 0) -> Replace:
            return super().replace(code, text.replace("\n", "\n    "), nth)

    assert one(before, case.edits(Deeper(before))) == deeper(case.after)


def is_written_without_final_newline(case: Case) -> None:
    before = case.before.rstrip("\n")
    assert one(before, case.edits(Program(before))) == case.after.rstrip("\n")


def agrees_with_whole_file_libcst(case: Case, newline: str) -> None:
    before = case.before.replace("\n", newline)
    edits = case.edits(Program(before))
    assert one(before, edits) == oracle.apply(before, edits)


def is_written_by_splices(case: Case) -> None:
    """A fix's splices are sorted, do not overlap, and give what apply gives."""
    source, tree = Source(case.before), ast.parse(case.before)
    edits = resolve_fix(source, tree, Fix(tuple(case.edits(Program(case.before))), "a fix"))
    assert list(edits) == sorted(edits, key=lambda edit: edit[:2])
    text = case.before
    last = len(text)
    for start, end, content in reversed(edits):
        assert start <= end <= last
        text, last = text[:start] + content + text[end:], start
    assert text == case.after


# --- the file as a whole -------------------------------------------------------------------


def test_coding_cookie_and_bom() -> None:
    for data in (
        "# -*- coding: latin-1 -*-\nname = 'é'; x = y.cuda()  # é\n".encode("latin-1"),
        b"\xef\xbb\xbfname = '\xc3\xa9'; x = y.cuda()  # \xc3\xa9\r\n",
    ):
        source = Source.from_bytes(data)
        program = Program(source.text)
        result = apply(source, ast.parse(source.text), [Fix((program.replace("y.cuda()", "y.to(device)"),), "")])
        assert source.encode(result.text) == data.replace(b"cuda()", b"to(device)")


def test_mixed_newlines_stay() -> None:
    text = "a = f(\r\n    x.cuda(),\n    1)\nb = 2\r\nc = 3\rd = 4\n"
    program = Program(text)
    span = Span(text.index("f("), text.index("1)") + 2)
    new = "g(\r\n    x.to(device),\n    1)"
    assert one(text, [Replace(span, new, text[span.start : span.end])]) == text.replace(
        text[span.start : span.end], new
    )
    assert (
        one(text, [program.move("c = 3", before="b = 2")]) == "a = f(\r\n    x.cuda(),\n    1)\nc = 3\rb = 2\r\nd = 4\n"
    )


def test_form_feeds_stay_where_they_are() -> None:
    text = "a\n\n\f\nb\n\n\f\n\fc\n"
    program = Program(text)
    assert one(text, [program.move("b", before="a")]) == "b\na\n\n\f\n\n\f\n\fc\n"
    assert one(text, [program.replace("c", "d")]) == text.replace("c", "d")
    assert one(text, [program.insert("x", before="c")]) == "a\n\n\f\nb\n\n\f\nx\n\fc\n"


def test_strings_that_look_like_comments() -> None:
    text = "a = '''\n# no comment'''\nb\nc\n"
    assert one(text, [Program(text).move("b", after="c")]) == "a = '''\n# no comment'''\nc\nb\n"


def test_comments_that_stay() -> None:
    text = "#!/usr/bin/env python\n# coding: utf-8\n# about it\na\nb\n# %%\n# about this\nc\n"
    program = Program(text)
    assert (
        one(text, [program.move("a", after="b")])
        == "#!/usr/bin/env python\n# coding: utf-8\nb\n# about it\na\n# %%\n# about this\nc\n"
    )
    assert (
        one(text, [program.move("c", before="b")])
        == "#!/usr/bin/env python\n# coding: utf-8\n# about it\na\n# about this\nc\nb\n# %%\n"
    )
    assert (
        one(text, [program.insert("x", before="a")])
        == "#!/usr/bin/env python\n# coding: utf-8\nx\n# about it\na\nb\n# %%\n# about this\nc\n"
    )


def test_the_text_of_a_cell_stays_below_its_marker() -> None:
    text = "p = 1\n# %%\n# about it\n# twice\nq = 2\n# a third\nr = 3\n"
    head, program = "p = 1\n# %%\n# about it\n# twice\n", Program(text)
    assert one(text, [program.insert("x", before="q = 2")]) == f"{head}x\nq = 2\n# a third\nr = 3\n"
    assert one(text, [program.move("r = 3", before="q = 2")]) == f"{head}# a third\nr = 3\nq = 2\n"
    assert one(text, [program.insert("x", before="r = 3")]) == f"{head}q = 2\nx\n# a third\nr = 3\n"


def test_comments_at_other_margins() -> None:
    text = "if a:\n    b\n    # of the body\nc\n# low\n"
    assert one(text, [Program(text).move("c", before="if a:\n    b")]) == "c\nif a:\n    b\n    # of the body\n# low\n"
    text = "def f():\n    a\n#    b_old\n    b\n    c\n"
    assert one(text, [Program(text).move("b", before="a")]) == "def f():\n#    b_old\n    b\n    a\n    c\n"


def test_tabs_and_spaces_mixed() -> None:
    text = "if a:\n\tx\n        # own\n\ty\n\tz\n"
    assert one(text, [Program(text).move("y", before="x")]) == "if a:\n        # own\n\ty\n\tx\n\tz\n"


def test_a_statement_that_ends_in_a_backslash() -> None:
    text = "a\nb = 1 \\\n\nc\n"
    assert one(text, [Program(text).move("b = 1", before="a")]) == "b = 1 \\\n\na\nc\n"


@pytest.mark.parametrize("newline", ["\n", "\r\n", "\r"])
def test_lines_behind_a_backslash_go_out_with_their_statement(newline: str) -> None:
    text = "if a:\n    if b:\n        c = \\\n            d + \\\n  e\n        f = (\n            g)\n".replace(
        "\n", newline
    )
    wanted = "if a:\n    c = \\\n        d + \\\n  e\n    f = (\n        g)\n".replace("\n", newline)
    program = Program(text)
    kept = ("c = \\\n            d + \\\n  e", "f = (\n            g)")
    assert one(text, [program.unwrap(program.to("if b", "g)"), *kept)]) == wanted


def test_one_line_suite_behind_a_backslash() -> None:
    text = "if a: \\\n    b\nc\n"
    assert one(text, [Program(text).insert("x", after="b")]) == "if a:\n    b\n    x\nc\n"


@pytest.mark.parametrize(
    ("text", "want"),
    [
        ("a\n# c\nb\n", "a\n# c\nx\nb\n"),
        ("if a:\n    # c\n\n    # d\n    b\n", "if a:\n    # c\n\n    # d\n    x\n    b\n"),
        ("a; b\n", "a\nx\nb\n"),
    ],
)
def test_insert_under_the_comments_of_a_statement(text: str, want: str) -> None:
    assert one(text, [Insert(Program(text).at("b"), "x", "under")]) == want


def test_elif() -> None:
    text = "if a:\n    b\n# e\nelif c:  # why\n    # own\n    d\nelse:\n    f\n"
    program = Program(text)
    whole, arm = Span(0, len(text) - 1), program.to("elif", "f")
    assert one(text, [program.unwrap(arm, "d")]) == "if a:\n    b\n# e\nelse:  # why\n    # own\n    d\n"
    assert one(text, [program.unwrap(arm, "f")]) == "if a:\n    b\n# e\nelse:\n    f\n"
    assert one(text, [program.unwrap(whole, "b")]) == "b\n"
    assert one(text, [Unwrap(whole, (arm,))]) == "# e\nif c:  # why\n    # own\n    d\nelse:\n    f\n"
    longer = "if a:\n    b\nelif c:\n    d\nelif e:\n    f\n"
    program = Program(longer)
    arms = [program.to("elif c", "f"), program.to("elif e", "f")]
    assert one(longer, [Unwrap(arms[0], (arms[1],))]) == "if a:\n    b\nelif e:\n    f\n"
    assert fixed(text, [Insert(arm, "x")]).refused == ((0, "row 4: nothing can be written beside an elif"),)


def test_unwrap_drops_directives_of_the_guard() -> None:
    text = "if a:  # noqa: E501\n    b\n"
    assert one(text, [Program(text).unwrap(Span(0, len(text) - 1), "b")]) == "b\n"


def test_a_tuple_takes_the_place_of_an_argument() -> None:
    assert one("f(a)\n", [Replace(Span(2, 3), "a, b", "a")]) == "f(a, b)\n"
    assert one("f(a)\n", [Replace(Span(2, 3), "(a, b)", "a")]) == "f((a, b))\n"


def test_parentheses_follow_the_grammar() -> None:
    for before, at, text, after in [
        ("x = a + b", "a", "p * q", "x = p * q + b"),
        ("x = a * b", "b", "p * q", "x = a * (p * q)"),
        ("x = -a", "a", "p + q", "x = -(p + q)"),
        ("x = a.b", "a", "await q", "x = (await q).b"),
        ("x = a.b", "a", "1", "x = (1).b"),
        ("x = a if b else c", "b", "p if q else r", "x = a if (p if q else r) else c"),
        ("x = a[b]", "b", "p or q", "x = a[p or q]"),
        ("f(a)", "a", "i for i in j", "f(i for i in j)"),
        ("x = f(k=a)", "a", "lambda: b", "x = f(k=lambda: b)"),
        ("x = a", "a", "p +\n    q", "x = (p +\n    q)"),
        ("x = (a)", "a", "p +\n    q", "x = (p +\n    q)"),
    ]:
        start = before.rindex(at)
        assert one(before + "\n", [Replace(Span(start, start + len(at)), text, at)]) == after + "\n"


@pytest.mark.skipif(sys.version_info < (3, 12), reason="no positions inside f-strings")
def test_inside_an_f_string() -> None:
    assert one("x = f'{a.cuda()}'\n", [Replace(Span(7, 15), "a.cpu()", "a.cuda()")]) == "x = f'{a.cpu()}'\n"


def test_around_an_f_string() -> None:
    text = 'x = f"é{a!r:>{w}}" + b.cuda()\n'
    assert one(text, [Program(text).replace("b.cuda()", "b.to(d)")]) == text.replace("cuda()", "to(d)")


# --- refusals and errors ---------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "edit", "message"),
    [
        ("a = b\n", Replace(Span(4, 5), "x", "c"), "row 1: expected 'c', found 'b'"),
        ("a\nb\n", Replace(Span(0, 3), "x", "a\nb"), "row 1: the span is not inside one statement"),
        ("a\nb\n", Insert(Span(0, 3), "x"), "row 1: the span is not a statement"),
        ("a\nb\n", Insert(Span(0, 1), "# only"), "row 1: the text to insert holds no statement"),
        ("a\nb\n", Insert(Span(0, 1), "x ="), "row 1: libcst cannot parse"),
        ("a\nb\n", Insert(Span(0, 1), "x", "beside"), "row 1: where is 'beside'"),
        ("a\nb\n", Move((Span(0, 1),), Span(0, 1)), "row 1: the anchor is one of the statements to move"),
        ("a\nb\n", Move((), Span(0, 1)), "an edit names no statement"),
        ("if x:\n    a\nb\n", Move((Span(10, 11),), Span(12, 13)), "row 3: the anchor is not of the suite"),
        ("a\nb\nc\n", Move((Span(2, 3), Span(0, 1)), Span(4, 5)), "not of one suite, in source order"),
        ("if x:\n    a\n", Delete((Span(10, 11),)), "row 2: the suite would be left empty"),
        ("a\n", Delete((Span(0, 1),)), "row 1: the suite would be left empty"),
        ("for x in y:\n    a\n", Unwrap(Span(0, 17), (Span(16, 17),)), "not of a suite of an if"),
        ("f(a)\n", Replace(Span(2, 3), "a b", "a"), "libcst cannot parse"),
    ],
)
def test_errors(text: str, edit: Edit, message: str) -> None:
    source, tree = Source(text), ast.parse(text)
    with pytest.raises(RewriteError, match=re.escape(message)):
        apply(source, tree, [Fix((edit,), "")])


def test_edits_of_one_fix_that_overlap() -> None:
    source, tree = Source("a = b.c\nd\n"), ast.parse("a = b.c\nd\n")
    for edits in (
        (Replace(Span(4, 7), "x", "b.c"), Replace(Span(4, 5), "y", "b")),
        (Delete((Span(0, 7),)), Replace(Span(4, 7), "x", "b.c")),
        (Move((Span(0, 7),), Span(8, 9), "after"), Insert(Span(0, 7), "x")),
    ):
        with pytest.raises(RewriteError):
            resolve_fix(source, tree, Fix(edits, ""))


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("a\nb  # fmt: skip\n", "the statement carries `# fmt: skip`"),
        ("a\nb = []  # type: List[int]\n", "the statement carries a type comment"),
        ("# fmt: off\na\nb\n", "the statement is in a `# fmt: off` region"),
        ("# fmt: off\na\n# fmt: on\nb\n", None),
        ("def f():\n    # fmt: off\n    x\na\nb\n", None),
        ("a\nb  # type: ignore[attr]\n", None),
        ("a\nb  # noqa\n", None),
    ],
)
def test_protected(text: str, reason: str | None) -> None:
    tree = ast.parse(text)
    source = Source(text)
    a, b = (source.span(node) for node in tree.body[-2:])
    assert why_protected(source, b) == reason
    result = fixed(text, [Move((b,), a)])
    if reason:
        assert result._replace(edits=()) == Result(text, (), (), ((0, f"row {source.line_of(b.start)}: {reason}"),))
        with pytest.raises(RefusedError):
            resolve_fix(source, tree, Fix((Move((b,), a),), ""))
    else:
        assert result.applied == (0,)


def test_statements_too_long_for_libcst_are_refused() -> None:
    text = "x = [" + "1, " * 20_000 + "a]\n"
    result = fixed(text, [Replace(Span(len(text) - 3, len(text) - 2), "b or c", "a")])
    assert result.refused == ((0, "row 1: the statement is too long to rewrite"),)
    assert result.text == text


def test_statements_that_are_nested_deeply_are_written() -> None:
    text = "x = " + "1 + " * 2_000 + "a\n"
    result = fixed(text, [Replace(Span(len(text) - 2, len(text) - 1), "b or c", "a")])
    assert result.refused == ()
    assert result.text == "x = " + "1 + " * 2_000 + "(b or c)\n"


@pytest.mark.parametrize(
    "text",
    [
        "x = [" + "1, " * 20_000 + "a.cuda()]\n",
        "x = " + "1 + " * 2_000 + "a.cuda()\n",
        "x = a.cuda()" + ".b()" * 200 + "\n",
    ],
)
def test_what_stands_by_itself_in_a_long_statement_is_written(text: str) -> None:
    start = text.index("cuda()")
    result = fixed(text, [Replace(Span(start, start + 5), "to(d", "cuda(")])
    assert result.text == text.replace("cuda()", "to(d)")


@pytest.mark.parametrize(
    ("text", "edits", "wanted"),
    [
        ("x = [f(0).cuda(), g]", [("0", "0, device=d"), (".cuda()", "")], "x = [f(0, device=d), g]"),
        ("x = f(0).cuda() + g", [("(", "(*a, "), (".cuda()", "")], "x = f(*a, 0) + g"),
        ("x = -f(a.b).cuda()", [("a", "c or d"), (".cuda()", "")], "x = -f((c or d).b)"),
        ("x = [f(a.b, 0)]", [("a", "c or d"), ("0", "0, device=d")], "x = [f((c or d).b, 0, device=d)]"),
        ("x = [(-a).cuda(), b]", [(".cuda()", "")], "x = [(-a), b]"),
        ("x = (-a).cuda() + b", [(".cuda()", ""), ("b", "c if d else e")], "x = (-a) + (c if d else e)"),
        ("x = y, f(0).cuda()", [("0", "0, d"), (".cuda()", "")], "x = y, f(0, d)"),
    ],
)
def test_edits_of_one_fix_in_one_expression(text: str, edits: list[tuple[str, str]], wanted: str) -> None:
    replaces = []
    for old, new in edits:
        start = text.index(old, 4)
        replaces.append(Replace(Span(start, start + len(old)), new, old))
    assert one(text + "\n", replaces) == wanted + "\n"


@pytest.mark.parametrize(
    ("text", "old", "new", "wanted"),
    [
        ("return'cuda'", "'cuda'", "d", None),
        ("x = (y for y in a)", "(y for y in a)", "z", "x = z"),
        ("x = a.b", "a", "c  # comment", None),
        ("x = a.b", "a", "c if d else e", "x = (c if d else e).b"),
        ("x = -a.b ** 2", "a.b", "c + 1", "x = -(c + 1) ** 2"),
        ("x = (a\n     .cuda())", "cuda(", "to(d", "x = (a\n     .to(d))"),
        ("x, a.b = c", "a.b", "d", "x, d = c"),
        ("match x:\n    case a.b: pass", "a.b", "c.d", "match x:\n    case c.d: pass"),
    ],
)
def test_what_stands_around_a_replacement_is_asked_where_it_matters(
    text: str, old: str, new: str, wanted: str | None
) -> None:
    if text.startswith("return"):
        text = f"def f():\n    {text}"
    start = text.index(old)
    edit = [Replace(Span(start, start + len(old)), new, old)]
    if wanted is None:
        with pytest.raises(RewriteError):
            fixed(text + "\n", edit)
    else:
        assert fixed(text + "\n", edit).text == wanted + "\n"


def test_syntax_that_libcst_cannot_read_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    import libcst as cst

    def parse(text: str) -> cst.Module:
        raise cst.ParserSyntaxError("new syntax", lines=[text], raw_line=1, raw_column=0)

    monkeypatch.setattr(cst, "parse_module", parse)
    result = fixed("a = b.c\n", [Replace(Span(4, 7), "x or y", "b.c")])
    assert result.refused == ((0, "row 1: libcst cannot read the statement"),)


# --- several fixes -----------------------------------------------------------------------------


def together(text: str, *build: Callable[[Program], Sequence[Edit]]) -> Result:
    program = Program(text)
    return fixed(text, *(make(program) for make in build))


def test_fixes_in_one_statement_go_together() -> None:
    result = together(
        "x, y = a.cuda(), b.cuda()\n",
        lambda p: [p.replace("a.cuda()", "a.to(d)")],
        lambda p: [p.replace("b.cuda()", "b.to(d)")],
    )
    assert result._replace(edits=()) == Result("x, y = a.to(d), b.to(d)\n", (0, 1), ())


def test_the_later_of_two_that_overlap_is_deferred_whole() -> None:
    result = together(
        "f(a.b)\nc\n",
        lambda p: [p.replace("a.b", "x")],
        lambda p: [p.replace("a", "y"), p.replace("c", "z")],
        lambda p: [p.replace("c", "w")],
    )
    assert result._replace(edits=()) == Result("f(x)\nw\n", (0, 2), (1,))


def test_equal_inserts_are_written_once() -> None:
    def device(p: Program) -> Insert:
        return p.insert("\ndevice = d()", after="import torch")

    result = together(
        "import torch\na.cuda()\nb.cuda()\n",
        lambda p: [device(p), p.replace("a.cuda()", "a.to(device)")],
        lambda p: [device(p), p.replace("b.cuda()", "b.to(device)")],
    )
    assert result._replace(edits=()) == Result("import torch\n\ndevice = d()\na.to(device)\nb.to(device)\n", (0, 1), ())


def test_different_inserts_at_one_place_are_a_conflict() -> None:
    assert together("a\nb\n", lambda p: [p.insert("x", after="a")], lambda p: [p.insert("y", after="a")]).deferred == (
        1,
    )
    assert together("a\nb\n", lambda p: [p.insert("x", after="a")], lambda p: [p.insert("y", before="b")]).deferred == (
        1,
    )
    assert together(
        "if a: b; c\n", lambda p: [p.insert("x", before="b")], lambda p: [p.insert("y", after="c")]
    ).deferred == (1,)
    shared = together(
        "a\nb\n", lambda p: [p.insert("x", after="a")], lambda p: [p.insert("x", after="a"), p.insert("y", after="a")]
    )
    assert shared._replace(edits=()) == Result("a\nx\nb\n", (0,), (1,))


@pytest.mark.parametrize(
    "other",
    [
        lambda p: [p.replace("b.cuda()", "x")],
        lambda p: [p.replace("c.cuda()", "x")],
        lambda p: [p.insert("x", before="b.cuda()")],
        lambda p: [p.insert("x", after="b.cuda()")],
        lambda p: [p.move("d.cuda()", before="b.cuda()")],
        lambda p: [p.delete("b.cuda()")],
    ],
)
def test_a_move_claims_its_region(other: Callable[[Program], Sequence[Edit]]) -> None:
    text = "a.cuda()\nb.cuda()\nc.cuda()\nd.cuda()\ne.cuda()\n"
    result = together(text, lambda p: [p.move("c.cuda()", before="a.cuda()")], other)
    assert result.deferred == (1,)
    result = together(text, other, lambda p: [p.move("c.cuda()", before="a.cuda()")])
    assert result.deferred == (1,)


def test_beside_a_claimed_region_there_is_room() -> None:
    text = "a\nb\nc\nd\ne\nf\n"
    result = together(
        text, lambda p: [p.move("b", before="a")], lambda p: [p.move("d", before="c")], lambda p: [p.replace("e", "x")]
    )
    assert result._replace(edits=()) == Result("b\na\nd\nc\nx\nf\n", (0, 1, 2), ())


def test_two_fixes_do_not_empty_a_suite_together() -> None:
    text = "if x:\n    a\n    b\n    c\n"
    result = together(text, lambda p: [p.delete("a")], lambda p: [p.delete("c")], lambda p: [p.delete("b")])
    assert result.applied == (0, 1)
    assert result.deferred == (2,)


def test_verify_sees_a_lost_statement() -> None:
    fixes = [Fix((Move((Span(0, 1),), Span(2, 3), "after"),), "")]
    with pytest.raises(RewriteError, match="moving statements lost one"):
        verify(ast.parse("a\nb\n"), ast.parse("b\n"), fixes)
    with pytest.raises(RewriteError, match="moving statements made up one"):
        verify(ast.parse("a\nb\n"), ast.parse("b\na\nif a:\n  b\n"), fixes)
    verify(ast.parse("a\n"), ast.parse("c\n"), [Fix((Replace(Span(0, 1), "c", "a"),), "")])


def test_libcst_is_imported_only_to_write() -> None:
    code = (
        "import sys, ast, placefix.writer as r; from placefix.source import Source; from placefix.diagnostic import *; t = 'a\\nb\\n';"
        "print(r.apply(Source(t), ast.parse(t), [Fix((Move((Span(2, 3),), Span(0, 1)),), '')]).applied, 'libcst' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "(0,) False"


# --- any program -----------------------------------------------------------------------------------


def generated(rng: random.Random, depth: int = 0) -> list[str]:
    """Lines of a random program in the shapes that make geometry hard."""
    lines: list[str] = []
    for _ in range(rng.randint(2, 6)):
        lines += [""] * rng.choice([0, 0, 0, 1, 2])
        lines += [f"# comment {rng.randint(0, 99)}"] * rng.choice([0, 0, 1, 2])
        lines += [""] * rng.choice([0, 0, 0, 0, 1])
        trail = rng.choice(["", "", "  # trailing"])
        number = rng.randint(0, 9999)
        kind = rng.randint(0, 7 if depth < 2 else 3)
        if kind <= 1:
            lines.append(f"s{number} = f({number}){trail}")
        elif kind == 2:
            lines.append(f"s{number}; t{number}; u{number}")
        elif kind == 3:
            lines += [f"s{number} = f(", "    1,  # one", "", f"  '''{number}", "text''')" + trail]
        elif kind == 4:
            lines.append(f"if s{number}: t{number}; u{number}{trail}")
        else:
            head = rng.choice([f"if s{number}:", f"for s in t{number}:  # head", f"@d{number}\ndef s():"]).split("\n")
            body = generated(rng, depth + 1)
            while not body[0]:
                del body[0]
            lines += head + [
                "    " + line if line and line != "text''')" + trail and not line.startswith("text") else line
                for line in body
            ]
            if rng.random() < 0.3:
                lines.append("    # footer")
    return lines


def test_any_move() -> None:
    """Statements and lines are kept, the rest of the file stays, and libcst agrees."""
    check_each(is_moved_alone, range(150))


def is_moved_alone(seed: int) -> None:
    rng = random.Random(seed)
    text = "\n".join(generated(rng)).lstrip("\n") + rng.choice(["\n", "\n", ""])
    source, tree = Source(text), ast.parse(text)
    places = [list(n.body) for n in ast.walk(tree) if isinstance(getattr(n, "body", None), list) and len(n.body) > 1]  # type: ignore[attr-defined]
    suite = rng.choice(places)
    moved = sorted(rng.sample(range(len(suite)), rng.randint(1, min(3, len(suite) - 1))))
    anchor = rng.choice([n for n in range(len(suite)) if n not in moved])
    spans = tuple(source.span(suite[n]) for n in moved)
    move = Move(spans, source.span(suite[anchor]), rng.choice(["before", "after"]))
    fixes = [Fix((move,), "")]
    result = apply(source, tree, fixes)
    if result.refused:
        assert "on one line" in result.refused[0][1]
        return
    verify(tree, ast.parse(result.text), fixes)
    comments = re.compile(r"#[^\n]*")
    assert sorted(comments.findall(text)) == sorted(comments.findall(result.text))
    assert text.endswith("\n") == result.text.endswith("\n")
    first = min(source.line_of(source.span(suite[n]).start) for n in (*moved, anchor))
    # nothing changes above the comments of the first one
    old = text.split("\n")
    above = first - 1
    while above and (not old[above - 1].strip() or old[above - 1].lstrip().startswith("#")):
        above -= 1
    assert result.text.split("\n")[:above] == old[:above]
    assert oracle.apply(text, [move]) == result.text


def test_edit_is_a_plain_tuple() -> None:
    assert TextEdit(0, 1, "x") == (0, 1, "x")


# --- the rules' own edits ------------------------------------------------------------------------


@pytest.mark.parametrize(
    "script",
    [
        # libcst reads every script whole
        pytest.param(script, id=script.stem, marks=pytest.mark.battery if number % 3 else pytest.mark.proof)
        for number, script in enumerate(SCRIPTS)
    ],
)
def test_fixes_of_the_rules_agree_with_whole_file_libcst(script: Path) -> None:
    source = Source.from_bytes(script.read_bytes(), script.name)
    tree = ast.parse(source.text)
    for diagnostic in engine.check(source, Settings(line_length=10_000), RULES):  # libcst wraps nothing
        if diagnostic.fix is not None:
            mine = splice(source.text, resolve_fix(source, tree, diagnostic.fix))
            if diagnostic.rule.check_suppressions is not None:  # of comments, which are no nodes
                assert ast.dump(ast.parse(mine)) == ast.dump(tree)
                continue
            assert mine == oracle.apply(source.text, diagnostic.fix.edits), diagnostic.code
