"""What stands around a piece, and how a program is written: functions, loops and classes, names that become attributes, aliases, line breaks.

Nothing here changes what a program computes where it runs.
"""

from __future__ import annotations

import ast
import io
import re
import tokenize
from itertools import pairwise
from typing import TYPE_CHECKING

from adversary_program import fill, indent

if TYPE_CHECKING:
    import random
    from collections.abc import Callable

    from adversary_program import Program

_BOUND = re.compile(r"^(\w+) = ", re.MULTILINE)


def surround(p: Program) -> None:
    """Put the last piece's statements into something, rename what they bind, or bind it again behind them."""
    rows = p.body[-1]
    text = "\n".join(rows)
    if not rows or not _is_python(text):
        return
    if p.yes(0.2):
        text = _in_a_holder(p, text)
    if p.yes(0.4):
        text = p.chance.choice(_FRAMES)(p, text)
    if p.yes(0.12):
        text += f"\n{_bound_again(p, text)}"
    if _is_python(text):
        p.body[-1] = [text]


def _is_python(text: str) -> bool:
    try:
        ast.parse(text)
    except SyntaxError:
        return False
    return True


def _names(text: str) -> list[str]:
    """The names that the statements bind at their own level, each by plain assignments alone."""
    bound = [name for name in dict.fromkeys(_BOUND.findall(text)) if name not in ("device", "DEVICE", "dev")]
    return [name for name in bound if not re.search(rf"\bfor {name}\b|\b(def|class) {name}\b|\b{name}, ", text)]


# Frames: each gives a text that does the same, or the same twice.


def _function(p: Program, text: str) -> str:
    name = p.name("part", "stage", "run_once", "experiment_of", "body")
    return fill("def @name():\n    @text\n\n\n@name()", name=name, text=text)


def _function_twice(p: Program, text: str) -> str:
    name = p.name("part", "trial", "fold", "repeat")
    return fill("def @name(n=1):\n    @text\n\n\nfor n in range(2):\n    @name(n)", name=name, text=text)


def _function_of_a_device(p: Program, text: str) -> str:
    device = p.text_of_device
    if not device or not re.search(rf"\b{device}\b", text) or re.search(rf"^\s*{device}\b\s*[=:]", text, re.MULTILINE):
        return _function(p, text)
    name = p.name("part", "stage", "on")
    head, call = p.chance.choice((("@d", "@d"), ("@d=@d", ""), ("@d=None", "@d=@d"), ('@d="cpu"', "@d")))
    return fill("def @name(@head):\n    @text\n\n\n@name(@call)", name=name, text=text,
                head=head.replace("@d", device), call=call.replace("@d", device))  # fmt: skip


def _method(p: Program, text: str) -> str:
    name = p.name("Stage", "Part", "Session")
    return fill("class @name:\n    def go(self):\n        @text\n\n\n@name().go()", name=name, text=text)


def _loop(p: Program, text: str) -> str:
    return fill(p.one("for _ in range(2):\n    @text", "for fold in range(1):\n    @text", "while True:\n    @text\n    break"), text=text)  # fmt: skip


def _block(p: Program, text: str) -> str:
    head = p.one(
        "with torch.enable_grad():", "if True:", "if torch.manual_seed(3):", "with torch.random.fork_rng(devices=[]):"
    )
    return f"{head}\n{indent(text)}"  # fmt: skip


def _attempt(p: Program, text: str) -> str:
    end = p.one(
        "finally:\n    pass",
        "except KeyboardInterrupt:\n    pass",
        "except OSError:\n    raise",
        "except KeyError:\n    print('no')\nelse:\n    pass",
    )
    return f"try:\n{indent(text)}\n{end}"  # fmt: skip


def _coroutine(p: Program, text: str) -> str:
    if p.layout == "notebook":
        return _function(p, text)
    p.imports.append("import asyncio")
    name = p.name("part", "job")
    return fill("async def @name():\n    @text\n\n\nasyncio.run(@name())", name=name, text=text)


def _generator(p: Program, text: str) -> str:
    name = p.name("steps_of", "stages")
    return fill("def @name():\n    yield 0\n    @text\n    yield 1\n\n\nlist(@name())", name=name, text=text)


_FRAMES: tuple[Callable[[Program, str], str], ...] = (
    _function, _function, _function_twice, _function_of_a_device, _function_of_a_device, _method, _loop, _loop, _block, _attempt,
    _coroutine, _generator,
)  # fmt: skip


# Names.


def _in_a_holder(p: Program, text: str) -> str:
    """One or all of the names become attributes of an object, or items of a dict."""
    names = _names(text)
    if not names:
        return text
    if p.yes(0.6):
        names = [p.chance.choice(names)]
    holder = p.name("state", "ns", "things", "ctx", "bag")
    items = p.yes(0.4)
    for name in names:
        new = f'{holder}["{name}"]' if items else f"{holder}.{name}"
        if items and re.search(rf"\"[^\"\n]*\b{name}\b[^\"\n]*\"", text):
            continue
        text = re.sub(rf"(?<![\w.\"]){name}(?![\w\"])(?!=[^=])", lambda _, new=new: new, text)  # type: ignore[misc]
    if items:
        return f"{holder} = {{}}\n{text}"
    p.imports.append("from types import SimpleNamespace")
    return f"{holder} = SimpleNamespace()\n{text}"


def _bound_again(p: Program, text: str) -> str:
    """Something else under a name that the statements bind."""
    names = _names(text)
    if not names:
        return "pass"
    name = p.chance.choice(names)
    return p.one(f"{name} = None", f"del {name}", f"for {name} in range(1):\n    pass", f"{name} = str({name})[:0]")


# The text of a file.


def dress(files: dict[str, str], chance: random.Random) -> dict[str, str]:
    """The same program in other words: imports, line breaks, tabs, line ends, comments."""
    new = dict(files)
    for name in files:
        for change in (_imports, _imported_modules, _joined, _broken, _commented, _headed, _white_space):
            if name.endswith(".py") and _is_python(new[name]) and chance.random() < 0.15:
                changed = change(new[name], files, chance)
                new[name] = changed if _is_python(changed) else new[name]
    return new


def _replaced(text: str, names: dict[str, str]) -> str:
    """The text with names replaced where they are no attributes and no keywords of calls; strings stay."""
    lines = text.splitlines(keepends=True)
    found = []
    depth, last = 0, ""
    tokens = list(tokenize.generate_tokens(io.StringIO(text).readline))
    for place, token in enumerate(tokens):
        if token.type == tokenize.OP and token.string in "([{":
            depth += 1
        elif token.type == tokenize.OP and token.string in ")]}":
            depth -= 1
        if token.type == tokenize.NAME and token.string in names and last != ".":
            keyword = depth and tokens[place + 1].string == "="
            if not keyword and not token.line.lstrip().startswith(("import ", "from ")):
                found.append((token.start, names[token.string], len(token.string)))
        last = token.string
    for (row, column), word, size in reversed(found):
        line = lines[row - 1]
        lines[row - 1] = line[:column] + word + line[column + size :]
    return "".join(lines)


def _in_strings(text: str, word: str) -> bool:
    """Whether a string with holes names it: what is in there is not replaced."""
    return re.search(rf"f[\"'][^\n]*\b{word}\b", text) is not None


def _imports(text: str, files: dict[str, str], chance: random.Random) -> str:
    """torch and its modules under other names."""
    kind = chance.randrange(5)
    if kind == 0 and not _in_strings(text, "torch"):
        return _replaced(text, {"torch": "th"}).replace("import torch\n", "import torch as th\n", 1)
    if kind == 1:
        return text.replace("import torch.nn as nn\n", "from torch import nn\n", 1)
    if kind == 2:
        return _replaced(text, {"nn": "torch.nn"}).replace("import torch.nn as nn\n", "", 1)
    if kind == 3 and "nn.Linear" in text:
        return text.replace(
            "import torch.nn as nn\n", "import torch.nn as nn\nfrom torch.nn import Linear\n", 1
        ).replace("nn.Linear", "Linear")
    return text.replace("import torch\n", "try:\n    import torch\nexcept ImportError:\n    torch = None\n", 1)


def _imported_modules(text: str, files: dict[str, str], chance: random.Random) -> str:
    """Names of other files by the files' names, or under names of their own."""
    for found in re.finditer(r"^from (\w+) import (\w+)\n", text, re.MULTILINE):
        home, name = found.groups()
        if f"{home}.py" not in files or _in_strings(text, name):
            continue
        short = home if chance.random() < 0.5 else f"{home[0]}_"
        alias = chance.random() < 0.4
        line = (
            f"from {home} import {name} as {name}_\n"
            if alias
            else f"import {home}" + (f" as {short}\n" if short != home else "\n")
        )
        if re.search(rf"\b{short}\b", text.replace(found[0], "")):
            continue
        text = _replaced(text, {name: f"{name}_" if alias else f"{short}.{name}"}).replace(found[0], line, 1)
    return text


def _simple(node: ast.stmt) -> bool:
    return isinstance(node, (ast.Assign, ast.Expr, ast.AugAssign)) and node.lineno == node.end_lineno


def _joined(text: str, files: dict[str, str], chance: random.Random) -> str:
    """Two statements on one line."""
    lines, gone = text.splitlines(), set()
    for parent in ast.walk(ast.parse(text)):
        body = getattr(parent, "body", None)
        for one, other in pairwise(body) if isinstance(body, list) else ():
            near = other.lineno == one.lineno + 1 and one.lineno not in gone and "#" not in lines[one.lineno - 1]
            if near and _simple(one) and _simple(other) and chance.random() < 0.2:
                lines[other.lineno - 1] = f"{lines[one.lineno - 1]}; {lines[other.lineno - 1].lstrip()}"
                gone.add(one.lineno)
    return "\n".join(line for number, line in enumerate(lines, 1) if number not in gone) + "\n"


def _broken(text: str, files: dict[str, str], chance: random.Random) -> str:
    """Line breaks inside of brackets, with and without comments."""
    lines = text.splitlines(keepends=True)
    tokens = list(tokenize.generate_tokens(io.StringIO(text).readline))
    depth, places = 0, []
    for token in tokens:
        if token.type == tokenize.OP and token.string in "([{":
            depth += 1
            if chance.random() < 0.12:
                places.append((token.end, " " * chance.choice((0, 2, 4, 8, token.start[1] + 1))))
        elif token.type == tokenize.OP and token.string in ")]}":
            depth -= 1
        elif token.string == "," and depth and chance.random() < 0.1:
            places.append((token.end, " " * chance.choice((4, 8))))
    note = chance.choice(("", "", "  # on the GPU", "  #"))
    for (row, column), margin in reversed(places):
        line = lines[row - 1]
        lines[row - 1] = f"{line[:column]}{note}\n{margin}{line[column:].lstrip(' ')}"
    return "".join(lines)


def _commented(text: str, files: dict[str, str], chance: random.Random) -> str:
    """Comments at the ends of lines and between them."""
    lines = []
    for line in text.splitlines():
        plain = line.strip() and not line.rstrip().endswith(("\\", ","))
        note = ""
        if plain and "#" not in line and chance.random() < 0.15:
            note = "  # " + chance.choice(("move to GPU", "noqa", "type: ignore", "TODO: cuda", "é ü 漢", "x.cuda()"))
        if plain and chance.random() < 0.05:
            lines.append(
                line[: len(line) - len(line.lstrip())] + "# " + chance.choice(("use the GPU", "%%", "fmt: off"))
            )
        lines.append(line + note)
    return "\n".join(lines) + "\n"


def _headed(text: str, files: dict[str, str], chance: random.Random) -> str:
    """What stands above the imports."""
    return chance.choice(
        (
            "from __future__ import annotations\n\n",
            '"""A script that trains on the GPU."""\n',
            '#!/usr/bin/env python\n# -*- coding: utf-8 -*-\n"""Doc\nof two lines."""\nfrom __future__ import annotations\n',
            "# Copyright nobody\n#\n\n\n",
            "import sys\nif sys.version_info < (3,):\n    raise SystemExit(1)\n",
            "import os; import sys\n",
            "import warnings\nwarnings.simplefilter('ignore')\n",
        )
    ) + text  # fmt: skip


def _white_space(text: str, files: dict[str, str], chance: random.Random) -> str:
    """Tabs, and lines that end otherwise."""
    kind = chance.randrange(5)
    if kind == 4:
        return text.replace("\n", "\r\n")
    if kind == 0:
        return re.sub(r"^( {4})+", lambda m: "\t" * (len(m[0]) // 4), text, flags=re.MULTILINE)
    if kind == 1:
        return re.sub(r"^( {4})+", lambda m: "  " * (len(m[0]) // 4), text, flags=re.MULTILINE)
    if kind == 2:
        return text.rstrip("\n")
    return re.sub(r"\n(?=\S)", "\n\n\n", text)
