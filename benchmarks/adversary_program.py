"""What a hostile program is made of: flags from every source, guards in every form, spellings of a move, and the frame around the pieces."""

from __future__ import annotations

import json
import re
import textwrap
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple, TypeVar

if TYPE_CHECKING:
    import random
    from collections.abc import Callable

_Choice = TypeVar("_Choice")

# What scripts call their flags, whatever they are about.
FLAG_NAMES = (
    "use_cuda", "cuda", "use_gpu", "gpu", "no_cuda", "disable_cuda", "on_gpu", "is_cuda", "cuda_enabled", "with_gpu", "ngpu",
    "gpu_id", "cpu", "use_cpu", "force_cpu", "cpu_only", "offload_cpu", "cpu_offload", "keep_on_cpu", "gather_on_cpu",
    "low_gpu_mem", "gpu_cache", "save_memory", "low_mem", "metrics_on_cpu", "ema_on_cpu", "cache_gpu", "store_cuda", "fp16",
    "debug", "eval_only", "verbose", "half", "cached", "multi_gpu", "gpu_collect", "cuda_graph", "pin", "evaluate", "mode",
    "accelerate", "device_ok", "on_device", "move", "resume", "last", "gpus", "n_gpu", "cuda_flag", "accel", "deterministic",
)  # fmt: skip
LAYOUTS = ("flat", "flat", "guarded", "main", "main", "class", "notebook")


class Guard(NamedTuple):
    """A test and what it says in this run."""

    test: str
    value: bool


@dataclass
class Program:
    """A program as its pieces fill it. Everything random comes from `chance`, which each piece has of its own."""

    layout: str
    chance: random.Random
    text_of_device: str = ""  # a device of the module level that is the GPU where there is one
    above: list[str] = field(default_factory=list)  # constants
    options: list[str] = field(default_factory=list)
    arguments: list[str] = field(default_factory=list)
    definitions: list[str] = field(default_factory=list)
    body: list[list[str]] = field(default_factory=list)  # by piece: a cell of a notebook
    first: list[str] = field(default_factory=list)  # of the body
    files: dict[str, str] = field(default_factory=dict)
    imports: list[str] = field(default_factory=list)
    names: set[str] = field(default_factory=set)
    known: list[Guard] = field(default_factory=list)
    several: bool = False  # what it does may hang on the number of GPUs
    constants_first: bool = False
    device_in_body: bool = False
    options_in_main: bool = False
    args: str = "args"

    # Names.

    def one(self, *choices: _Choice) -> _Choice:
        """One of these."""
        return self.chance.choice(choices)

    def yes(self, share: float = 0.5) -> bool:
        """True with this probability."""
        return self.chance.random() < share

    def name(self, *stems: str) -> str:
        """A new name of the module level and of the body."""
        stem = self.chance.choice(stems)
        number, name = 1, stem
        while name in self.names:
            number += 1
            name = f"{stem}{number}"
        self.names.add(name)
        return name

    def flag_name(self) -> str:
        """A name of a flag, for a parameter or attribute."""
        return self.chance.choice(FLAG_NAMES)

    # Flags.

    def flag(
        self, value: bool | None = None, *, everywhere: bool = False, about_cuda: bool = False, new: bool = False
    ) -> Guard:
        """A test that can stand in the body (with `everywhere` in definitions, too), and what it says in this run."""
        if value is None:
            value = self.yes()
        fitting = [guard for guard in self.known if guard.value == value]
        if fitting and not everywhere and self.yes(0.3) and not new:
            return self.chance.choice(fitting)
        sources = [self._constant, self._constant, self._environment]
        if not everywhere or not self.options_in_main:
            sources += [self._option, self._option, self._config, self._number]
        if about_cuda:
            sources += [self._available, self._available]
        guard = self.chance.choice(sources)(value, everywhere)
        self.known.append(guard)
        return guard

    def _constant(self, value: bool, everywhere: bool) -> Guard:
        name = self.name(*FLAG_NAMES)
        if self.yes(0.3):
            name = self.name(name.upper())
        if self.yes(0.2):
            value = not value
            self.above.append(f"{name} = {value}")
            return Guard(f"not {name}", not value)
        if self.yes(0.3) and not everywhere:
            self.first.append(f"{name} = {value}")
        else:
            self.above.append(f"{name} = {value}")
        return Guard(name, value)

    def _environment(self, value: bool, everywhere: bool) -> Guard:
        name = self.name(*FLAG_NAMES)
        self.imports.append("import os")
        lines = [f'{name} = os.environ.get("{name.upper()}", "{int(value)}") == "1"']
        if self.yes(0.4):
            lines = [f'{name} = bool(int(os.getenv("X_{name.upper()}", "{int(value)}")))']
        (self.above if everywhere or self.yes() else self.first).extend(lines)
        return Guard(name, value)

    def _option(self, value: bool, everywhere: bool) -> Guard:
        name = self.name(*FLAG_NAMES)
        dashed = name.replace("_", "-") if self.yes(0.4) else name
        kind = self.chance.randrange(6)
        test, given = f"{self.args}.{name}", []
        if kind <= 1:
            self.options.append(f'parser.add_argument("--{dashed}", action="store_true")')
            given = [f"--{dashed}"] if value else []
        elif kind == 2:
            self.options.append(f'parser.add_argument("--{dashed}", action="store_false", default=True)')
            given = [] if value else [f"--{dashed}"]
        elif kind == 3:
            self.options.append(f'parser.add_argument("--{dashed}", type=int, default={int(value)})')
        elif kind == 4:
            self.options.append(f'parser.add_argument("--{dashed}", action="store_true")')
            given = [] if value else [f"--{dashed}"]
            test = f"not {test}"
        else:
            self.options.append(f'parser.add_argument("--{dashed}", default="{"cuda" if value else "cpu"}")')
            test = f'{test} == "cuda"' if self.yes() else f'{test} != "cpu"'
        self.arguments += given
        if kind <= 4 and self.yes(0.25):
            local = self.name(*FLAG_NAMES)
            self.first.append(f"{local} = {test}")
            if not everywhere:
                test = local
        return Guard(test, value)

    def _config(self, value: bool, everywhere: bool) -> Guard:
        name, holder = self.flag_name(), self.name("cfg", "config", "opt", "hparams", "settings")
        if self.yes():
            self.above.append(f'{holder} = {{"{name}": {value}, "lr": 0.1}}')
            return Guard(f'{holder}["{name}"]', value)
        if self.yes():
            self.definitions.insert(0, f"class {holder}:\n    {name} = {value}\n    lr = 0.1")
            return Guard(f"{holder}.{name}", value)
        self.imports.append("from types import SimpleNamespace")
        target = self.definitions if self.yes() else self.first
        target.insert(0, f"{holder} = SimpleNamespace({name}={value}, lr=0.1)")
        return (
            Guard(f"{holder}.{name}", value) if target is self.first or not everywhere else self._constant(value, True)
        )

    def _number(self, value: bool, everywhere: bool) -> Guard:
        name = self.name("ngpu", "n_gpu", "gpu", "gpu_id", "num_gpus", "workers", "rank", "devices")
        self.above.append(f"{name} = {1 if value else 0}")
        return Guard(self.one(f"{name} > 0", f"{name} == 1", f"{name} >= 1", f"{name} != 0", f"bool({name})"), value)

    def _available(self, value: bool, everywhere: bool) -> Guard:
        asked = self.one("torch.cuda.is_available()", "torch.cuda.is_available()", "torch.cuda.device_count() > 0")
        name = self.name("use_cuda", "use_gpu", "cuda", "gpu", "on_gpu", "has_cuda")
        if not value:
            self.first.append(
                f"{name} = not {asked}" if " " not in asked else f"{name} = torch.cuda.device_count() == 0"
            )
            return Guard(name, False)
        if self.yes(0.3):
            return Guard(asked, True)
        if self.yes(0.4):
            other = self.flag(True, everywhere=everywhere)
            self.first.append(f"{name} = {_atom(other.test)} and {asked}")
        else:
            self.first.append(f"{name} = {asked}")
        return Guard(name, True)

    # Moves.

    def on_gpu(self, what: str, *, here: bool = True) -> str:
        """`what` on the GPU, in one of the spellings; `here`: the device of the module level may be named."""
        ways = [".cuda()"] * 5 + ['.to("cuda")', '.to(torch.device("cuda"))']
        if self.yes(0.1):
            ways = [".cuda(0)", '.to("cuda:0")']
        if self.text_of_device and here:
            ways += [f".to({self.text_of_device})"] * 3
        return what + self.chance.choice(ways)

    def cpu(self, what: str) -> str:
        """`what` on the CPU."""
        return what + self.one(".cpu()", ".cpu()", '.to("cpu")', '.to(torch.device("cpu"))')

    def device(self) -> str:
        """A device of the module level; it is made if there is none."""
        if not self.text_of_device:
            self.text_of_device = "device"
            self.names.add("device")
            self.definitions.insert(0, 'device = torch.device("cuda" if torch.cuda.is_available() else "cpu")')
        return self.text_of_device

    def choice(self, test: str, on: str = "cpu", off: str = "cuda") -> str:
        """A device by a flag: `on` where the test holds."""
        return self.one(
            f'torch.device("{on}") if {test} else torch.device("{off}")',
            f'torch.device("{on}" if {test} else "{off}")',
            f'"{on}" if {test} else "{off}"',
            f'torch.device("{off}" if not {_atom(test)} else "{on}")',
        )

    def guarded(self, guard: Guard, target: str, value: str, otherwise: str = "") -> str:
        """`target = value` under the test, in one of the forms."""
        test, atom = guard.test, _atom(guard.test)
        then = f"{target} = {value}"
        other = f"{target} = {otherwise}" if otherwise else ""
        forms: list[Callable[[], str]] = [
            lambda: _if(test, then, other),
            lambda: _if(test, then, other),
            lambda: _if(f"not {atom}", other or "pass", then),
            lambda: f"{target} = {value} if {test} else {otherwise or target}",
            lambda: f"{target} = {otherwise or target} if not {atom} else {value}",
            lambda: _if(f"{atom} == True" if " " not in atom else test, then, other),
            lambda: _if(f"{atom} or False", then, other),
            lambda: _if(f"bool({test})", then, other),
            lambda: _if(f"not (not {atom})", then, other),
        ]
        if not otherwise:
            forms += [
                lambda: _if(f"{atom} and {target} is not None", then),
                lambda: _if(test, _if(f"{target} is not None", then)),
                lambda: f"for _ in range(int({test})):\n    {then}",
                lambda: f"if {test}: {then}",
                lambda: f"while {test}:\n    {then}\n    break",
            ]
        return self.chance.choice(forms)()

    # Where things stand.

    def define(self, text: str) -> None:
        """A definition of the main file."""
        self.definitions.append(block(text))

    def run(self, text: str) -> None:
        """Statements of the body."""
        self.body[-1].append(block(text))

    def elsewhere(
        self, text: str, names: str, stems: tuple[str, ...], *, always: bool = False, share: float = 0.4
    ) -> None:
        """A definition of the main file or of another one, from where these names are imported."""
        if not always and not self.yes(share):
            self.define(text)
            return
        stem = self.chance.choice(stems)
        number, name = 1, stem
        while f"{name}.py" in self.files:
            number += 1
            name = f"{stem}{number}"
        head = "import copy\nimport torch\nimport torch.nn as nn\nimport torch.nn.functional as F\nfrom torch import optim\n"
        self.files[f"{name}.py"] = f"{head}\n\n{block(text)}\n"
        self.imports.append(f"from {name} import {names}")

    # The frame.

    def render(self) -> dict[str, str]:
        """The program's files; main.py or main.ipynb is what is run."""
        imports = ["import torch", "import torch.nn as nn", "import torch.nn.functional as F", *self.imports]
        if self.options:
            imports.insert(0, "import argparse")
        first = list(dict.fromkeys(imports))
        parse = [
            "parser = argparse.ArgumentParser()",
            *self.options,
            f"{self.args} = parser.parse_args()",
        ] if self.options else []  # fmt: skip
        constants = list(dict.fromkeys(self.above))
        plain = [line for line in constants if not ("os." in line or "torch" in line)]
        rest = [line for line in constants if line not in plain]
        if not self.constants_first:
            plain, rest = [], constants
        if self.layout == "notebook":
            if "import argparse" in first:
                parse = [line.replace("parse_args()", f"parse_args({self.arguments!r})") for line in parse]
            cells = [
                "\n".join(plain),
                "\n".join([*first, *rest]),
                "\n".join(parse),
                *self.definitions,
                "\n".join(self.first),
            ]
            cells += ["\n".join(lines) for lines in self.body]
            return {"main.ipynb": notebook([cell for cell in cells if cell.strip()]), **self.files}
        top = [*plain, *first, "", *rest]
        if not self.options_in_main:
            top += parse
        body = [*(parse if self.options_in_main else []), *self.first, *(line for lines in self.body for line in lines)]
        text = "\n".join(body) or "pass"
        definitions = self.definitions
        if self.layout == "main":
            text = f'def main():\n{indent(text)}\n\n\nif __name__ == "__main__":\n    main()'
        elif self.layout == "guarded":
            text = f'if __name__ == "__main__":\n{indent(text)}'
        elif self.layout == "class":
            text = f"class Run:\n    def __init__(self):\n        self.steps = 2\n\n    def start(self):\n{indent(indent(text))}\n\n\nRun().start()"
        else:
            # Definitions stand among the statements that use them, as well.
            pass
        return {"main.py": "\n\n".join(["\n".join(top), *definitions, text]) + "\n", **self.files}


def _atom(test: str) -> str:
    return test if test.replace(".", "").replace("_", "").isalnum() else f"({test})"


def _if(test: str, then: str, other: str = "") -> str:
    text = f"if {test}:\n{indent(then)}"
    return f"{text}\nelse:\n{indent(other)}" if other else text


def indent(text: str) -> str:
    """The text one level further in."""
    return textwrap.indent(text, "    ")


def block(text: str) -> str:
    """The text of a literal, without its indentation."""
    return textwrap.dedent(text).strip("\n")


def notebook(cells: list[str]) -> str:
    """A notebook of these cells."""
    return json.dumps(
        {
            "cells": [
                {
                    "cell_type": "code",
                    "execution_count": None,
                    "metadata": {},
                    "outputs": [],
                    "source": cell.splitlines(keepends=True),
                }
                for cell in cells
            ],
            "metadata": {"language_info": {"name": "python"}},
            "nbformat": 4,
            "nbformat_minor": 5,
        },
        indent=1,
    )


def program_of(files: dict[str, str]) -> str:
    """The text that is run: that of main.py, or of the notebook's cells in their order. `async=` is what it was before Python 3.7."""
    if "main.py" in files:
        return _ASYNC.sub("non_blocking=", files["main.py"])
    return "\n".join("".join(cell["source"]) for cell in json.loads(files["main.ipynb"])["cells"]) + "\n"


_ASYNC = re.compile(r"\basync\s*=(?!=)")
_HOLE = re.compile(r"@(\w+)")


def fill(template: str, **parts: object) -> str:
    """The template with its `@name`s filled in; a part of several lines stands alone on its line, and is indented as that is."""
    lines = []
    for line in block(template).splitlines():
        alone = _HOLE.fullmatch(line.strip())
        if alone and alone[1] in parts:
            text = str(parts[alone[1]])
            lines += [line[: len(line) - len(line.lstrip())] + row if row else row for row in text.splitlines()]
        else:
            lines.append(_HOLE.sub(lambda hole: str(parts.get(hole[1], hole[0])), line))
    return "\n".join(lines)
