"""What placefix costs as the findings of one file grow: seconds for n, 2n, 4n, … and the fitted exponent.

    python benchmarks/load.py                  # every row
    python benchmarks/load.py --only lines,cells --most 3200
    python benchmarks/load.py --profile statement --most 400

A row is a shape of file, with n findings (`silenced`: n comments, `quiet`: n statements). The exponent is the slope of
log(seconds) over log(n) by least squares, over the sizes that took longer than 50 ms (below that it is start-up that is
measured): 1 is linear. CPU seconds of this process, without the garbage collector, as the command `placefix` runs; imports
and first calls are done before. It is not a test: nothing fails here.
"""

from __future__ import annotations

import argparse
import cProfile
import gc
import json
import math
import pstats
import time
from typing import TYPE_CHECKING

from placefix.config import Options, settle
from placefix.discover import Target
from placefix.engine import Changed
from placefix.runner import check_bytes, fix_bytes

if TYPE_CHECKING:
    from collections.abc import Callable

_FLOOR = 0.05  # seconds
_HEAD = "import torch\nfrom torch import nn\n"


def _lines(n: int) -> str:
    """`.cuda()` lines of a module."""
    return _HEAD + "".join(f"x{i} = torch.zeros(3).cuda()\n" for i in range(n))


def _bare(n: int) -> str:
    """`.cuda()` lines about names that nothing else is known of."""
    return _HEAD + "from data import load\n" + "".join(f"x{i} = load({i}).cuda()\n" for i in range(n))


def _functions(n: int) -> str:
    """Ten `.cuda()` lines in each function."""
    parts = [_HEAD]
    for i in range(0, n, 10):
        parts.append(f"def f{i}(a):\n")
        parts += [f"    x{k} = torch.ones({k}).cuda()\n" for k in range(min(10, n - i))]
        parts.append("    return x0\n\n\n")
    return "".join(parts)


def _one_function(n: int) -> str:
    """All of them in one function, of its own arguments."""
    body = "".join(f"    x{i} = torch.ones({i}).cuda()\n" for i in range(n))
    return _HEAD + "def f(a):\n" + body + "    return x0\n"


def _guards(n: int) -> str:
    """`.cuda()` under a guard each."""
    body = "".join(f"x{i} = torch.zeros(3)\nif torch.cuda.is_available():\n    x{i} = x{i}.cuda()\n" for i in range(n))
    return _HEAD + body


def _models(n: int) -> str:
    """A model and an optimizer before its placement: two findings each."""
    body = "".join(
        f"m{i} = nn.Linear(3, 3)\no{i} = torch.optim.SGD(m{i}.parameters(), lr=1)\nm{i}.cuda()\n"
        for i in range(0, n, 2)
    )
    return _HEAD + body


def _wraps(n: int) -> str:
    """A model that is wrapped before its placement: two findings each."""
    body = "".join(f"m{i} = nn.Linear(3, 3)\nm{i} = nn.DataParallel(m{i})\nm{i}.cuda()\n" for i in range(0, n, 2))
    return _HEAD + body


def _batches(n: int) -> str:
    """Loops whose batch is not moved."""
    head = (
        _HEAD
        + "device = torch.device('cuda')\nmodel = nn.Linear(3, 3).to(device)\nloader = torch.utils.data.DataLoader([])\n"
    )
    return head + "".join(
        "for x, y in loader:\n    out = model(x)\n    loss = nn.functional.mse_loss(out, y)\n" for _ in range(n)
    )


def _strays(n: int) -> str:
    """Tensors that meet a model on the device and are left on the CPU."""
    head = _HEAD + "device = torch.device('cuda')\nmodel = nn.Linear(3, 3).to(device)\n"
    return head + "".join(f"x{i} = torch.zeros(3)\ny{i} = model(x{i})\n" for i in range(n))


def _loads(n: int) -> str:
    """Files that are loaded without saying where to."""
    head = _HEAD + "net = nn.Linear(3, 3)\n"
    return head + "".join(f"net.load_state_dict(torch.load('m{i}.pt'))\n" for i in range(n))


def _strings(n: int) -> str:
    return _HEAD + "".join(f"x{i} = torch.zeros(3, device='cuda')\n" for i in range(n))


def _types(n: int) -> str:
    return _HEAD + "".join(f"x{i} = torch.cuda.FloatTensor(3)\n" for i in range(n))


def _notes(n: int) -> str:
    """Uses of CUDA that stay."""
    return _HEAD + "".join(f"torch.cuda.synchronize()\nt{i} = torch.cuda.memory_allocated()\n" for i in range(n))


def _discarded(n: int) -> str:
    head = _HEAD + "device = torch.device('cuda')\n"
    return head + "".join(f"x{i} = torch.zeros(3)\nx{i}.to(device)\n" for i in range(n))


def _layers(n: int) -> str:
    """A class with a tensor made in `__init__` and one made in `forward`: two findings each."""
    return _HEAD + "".join(
        f"class M{i}(nn.Module):\n    def __init__(self):\n        super().__init__()\n        self.l = nn.Linear(3, 3)\n        self.h = torch.zeros(3)\n"
        f"    def forward(self, x):\n        z = torch.zeros(3)\n        return self.l(x) + z + self.h\n\n\n"
        for i in range(0, n, 2)
    )


def _statement(n: int) -> str:
    """All in one statement, a line each."""
    return _HEAD + "xs = [\n" + "".join(f"    torch.zeros({i}).cuda(),\n" for i in range(n)) + "]\n"


def _one_line(n: int) -> str:
    """All in one line."""
    return _HEAD + "xs = [" + ", ".join(f"a{i}.cuda()" for i in range(n)) + "]\n"


def _cells(n: int) -> str:
    """A notebook, a `.cuda()` line in each cell."""
    head: dict[str, object] = {
        "cell_type": "code",
        "metadata": {},
        "execution_count": None,
        "outputs": [],
        "source": _HEAD.splitlines(True),
    }
    cells = [{**head, "source": [f"x{i} = torch.zeros(3).cuda()\n", f"print(x{i})"]} for i in range(n)]
    book = {"cells": [head, *cells], "metadata": {}, "nbformat": 4, "nbformat_minor": 4}
    return json.dumps(book, indent=1) + "\n"


def _quiet(n: int) -> str:
    """Code with nothing to find beside one `.cuda()`."""
    body = "".join(f"x{i} = torch.zeros(3)\ny{i} = x{i} + {i}\n" for i in range(n))
    return _HEAD + body + "z = torch.zeros(3).cuda()\n"


def _silenced(n: int) -> str:
    """Findings that a comment silences each."""
    return _HEAD + "".join(f"x{i} = torch.zeros(3).cuda()  # placefix: ignore[PF401]\n" for i in range(n))


def _classes(n: int) -> str:
    """A class each, that moves attributes of the same name."""
    return _HEAD + "".join(
        f"class M{i}:\n    def __init__(self):\n        self.net = nn.Linear(3, 3)\n        self.net.cuda()\n"
        f"        self.x = torch.zeros(3).cuda()\n    def run(self):\n        return self.net(self.x.cuda())\n\n\n"
        for i in range(0, n, 3)
    )


def _methods(n: int) -> str:
    """A class with a method each, that moves its argument."""
    return (
        _HEAD + "class M:\n" + "".join(f"    def f{i}(self, x):\n        return self.net(x.cuda())\n" for i in range(n))
    )


def _helpers(n: int) -> str:
    """Functions that call one of the file, and move what it gives."""
    head = _HEAD + "def make(k):\n    return torch.zeros(k)\n\n\n"
    return head + "".join(f"def f{i}(a):\n    b = make({i}).cuda()\n    return b + a\n\n\n" for i in range(n))


def _trainers(n: int) -> str:
    """Functions with an optimizer and a wrap before the placement, of the same names: four findings each."""
    return _HEAD + "".join(
        f"def train{i}(data):\n    net = nn.Linear(3, 3)\n    opt = torch.optim.SGD(net.parameters(), lr={i})\n"
        "    net = nn.DataParallel(net)\n    net.cuda()\n    for x in data:\n        net(x.cuda()).sum().backward()\n        opt.step()\n\n\n"
        for i in range(0, n, 4)
    )


def _dict(n: int) -> str:
    """The values of one dict, made where they stand and under names that are bound above."""
    head = _HEAD + "from data import load\n" + "".join(f"a{i} = load({i})\n" for i in range(n))
    return head + "d = {\n" + "".join(f"    'k{i}': a{i}.cuda(),\n" for i in range(n)) + "}\n"


def _arms(n: int) -> str:
    """Guards in the arms of one `elif` chain."""
    head = _HEAD + "import sys\nmode = len(sys.argv)\nx = torch.zeros(3)\nif mode == 0:\n    pass\n"
    return head + "".join(
        f"elif mode == {i + 1}:\n    if torch.cuda.is_available():\n        x = x.cuda()\n" for i in range(n)
    )


def _aliases(n: int) -> str:
    """One tensor under ever new names, each of which is moved."""
    return _HEAD + "y0 = torch.zeros(3)\n" + "".join(f"y{i + 1} = y{i}\nz{i} = y{i}.cuda()\n" for i in range(n))


def _same_name(n: int) -> str:
    """One name that is bound and moved again and again."""
    return _HEAD + "".join(f"x = torch.zeros({i})\nx = x.cuda()\n" for i in range(n))


def _one_loop(n: int) -> str:
    """All in the body of one loop over batches."""
    head = _HEAD + "net = nn.Linear(3, 3).cuda()\nloader = torch.utils.data.DataLoader([])\nfor x, y in loader:\n"
    return head + "".join(f"    a{i} = net(x.cuda())\n    b{i} = a{i} + torch.ones(3).cuda()\n" for i in range(0, n, 2))


def _comprehended(n: int) -> str:
    """A comprehension each."""
    return _HEAD + "from data import load\n" + "".join(f"x{i} = [t.cuda() for t in load({i})]\n" for i in range(n))


def _choices(n: int) -> str:
    """Names that a test of one flag binds, which later code asks again."""
    head = _HEAD + "from data import flag\n"
    return head + "".join(
        f"if flag:\n    w{i} = torch.zeros(3)\nfor x{i} in w0:\n    if flag:\n        y{i} = w{i}.cuda()\n"
        for i in range(n)
    )


ROWS: dict[str, Callable[[int], str]] = {
    "lines": _lines, "bare": _bare, "functions": _functions, "one-function": _one_function, "guards": _guards,
    "statement": _statement, "one-line": _one_line, "cells": _cells,
    "models": _models, "wraps": _wraps, "batches": _batches, "strays": _strays, "loads": _loads, "strings": _strings,
    "types": _types, "notes": _notes, "discarded": _discarded, "layers": _layers, "quiet": _quiet, "silenced": _silenced,
    "classes": _classes, "methods": _methods, "helpers": _helpers, "trainers": _trainers, "dict": _dict, "arms": _arms,
    "aliases": _aliases, "same-name": _same_name, "one-loop": _one_loop, "comprehended": _comprehended, "choices": _choices,
}  # fmt: skip


def exponent(sizes: list[int], seconds: list[float]) -> float:
    """The slope of log(seconds) over log(size), of what took long enough; NaN where fewer than two did."""
    points = [(math.log(n), math.log(s)) for n, s in zip(sizes, seconds) if s >= _FLOOR]
    if len(points) < 2:
        return math.nan
    mean_x, mean_y = (sum(column) / len(points) for column in zip(*points))
    return float(sum((x - mean_x) * (y - mean_y) for x, y in points) / sum((x - mean_x) ** 2 for x, _ in points))


def _run(row: str, n: int, *, fixing: bool) -> tuple[float, int, str]:
    """CPU seconds, how many findings (applied fixes), and what went wrong."""
    name = "load.ipynb" if row == "cells" else "load.py"
    target = Target(name, "/load/" + name, settle(Options(unsafe_fixes=True)))
    data = ROWS[row](n).encode()
    start = time.process_time()
    result = (fix_bytes if fixing else check_bytes)(target, data)
    if fixing:
        result.before_after()
    taken = time.process_time() - start
    done = len(result.outcome.applied) if isinstance(result.outcome, Changed) else len(result.remaining)
    return taken, done, result.error


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", help="rows, with commas between them")
    parser.add_argument("--least", type=int, default=100)
    parser.add_argument("--most", type=int, default=1600)
    parser.add_argument("--limit", type=float, default=20.0, help="seconds after which a row goes no further")
    parser.add_argument("--profile", help="profile this row at --most instead")
    parser.add_argument("--check", action="store_true", help="only check, or profile that")
    given = parser.parse_args()
    gc.disable()  # as `placefix.__main__` has it
    for fixing in (False, True):  # what is imported once
        _run("cells", 2, fixing=fixing)
        _run("models", 2, fixing=fixing)
    if given.profile:
        profile = cProfile.Profile()
        profile.enable()
        print(_run(given.profile, given.most, fixing=not given.check))
        profile.disable()
        pstats.Stats(profile).sort_stats("tottime").print_stats(25)
        return
    sizes = []
    size = given.least
    while size <= given.most:
        sizes.append(size)
        size *= 2
    print(f"{'row':14}{'':8}" + "".join(f"{n:>9}" for n in sizes) + f"{'exponent':>10}{'ms each':>9}  done")
    for row in given.only.split(",") if given.only else ROWS:
        for fixing in (False,) if given.check else (False, True):
            seconds: list[float] = []
            done, error = 0, ""
            for n in sizes:
                gc.collect()
                taken, done, error = _run(row, n, fixing=fixing)
                seconds.append(taken)
                if error or taken > given.limit:
                    break
            shown = "".join(f"{s:9.2f}" for s in seconds) + " " * 9 * (len(sizes) - len(seconds))
            each = 1000 * seconds[-1] / sizes[len(seconds) - 1]
            slope = exponent(sizes[: len(seconds)], seconds)
            print(
                f"{row:14}{'apply' if fixing else 'check':8}{shown}{slope:10.2f}{each:9.2f}  {done} {error}", flush=True
            )


if __name__ == "__main__":
    main()
