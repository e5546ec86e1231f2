"""Devices as abstract values: one domain for the interpreter and for the choice of a device."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, Literal, NamedTuple

from placefix.facts import premises
from placefix.facts.accelerators import ACCELERATORS, CUDA
from placefix.facts.naming import names_device
from placefix.facts.program.ast_names import keyword_value, literal_text, name_of
from placefix.facts.program.conditions import AVAILABLE

if TYPE_CHECKING:
    from placefix.facts.program.conditions import Test
    from placefix.facts.wording import Premise

DeviceKind = Literal["available", "flag", "cuda", "cpu", "index", "tensor", "other", "none", "accelerator"]

# torch's names for types of devices other than the CPU.
_TYPES = frozenset((*(each.name for each in ACCELERATORS), "xla", "mlu", "meta"))


class Device(NamedTuple):
    """The device that an expression denotes.

    kind: available (CUDA if there is one, else the CPU), flag (CUDA under another question, else the CPU), cuda (literally), cpu,
    index (a GPU by its number, or a rank), tensor (that of a tensor: ``x.device``), other (a device, which one is not known), none (may be
    None), accelerator (torch's current one, or None).
    text: the source text where it can be written again, for a flag of the interpreter that of the question, else "". index: the number
    of the GPU, None for the current one. origin: the expression that chooses it.
    test and positive: the question of a flag where it is known, and which answer means CUDA. wide: where there is no CUDA it may be
    another accelerator.
    """

    kind: DeviceKind
    text: str = ""
    index: int | None = None  # type: ignore[assignment]
    origin: ast.expr | None = None
    test: Test | None = None
    positive: bool = True
    wide: bool = False

    @property
    def is_cpu(self) -> bool:
        """Whether it is the CPU."""
        return self.kind == "cpu"

    @property
    def is_cuda(self) -> bool:
        """Whether it is CUDA, literally."""
        return self.kind == "cuda"

    @property
    def is_flag(self) -> bool:
        """Whether it is CUDA under a question other than whether there is CUDA, else the CPU."""
        return self.kind == "flag"

    @property
    def is_conditional(self) -> bool:
        """Whether it is CUDA under some question, else the CPU."""
        return self.kind == "available" or self.is_flag

    @property
    def has_number(self) -> bool:
        """Whether it is a GPU by a number that is not known, or a rank."""
        return self.kind == "index"

    @property
    def is_of_tensor(self) -> bool:
        """Whether it is the device of a tensor: ``x.device``."""
        return self.kind == "tensor"

    @property
    def is_cuda_or_conditional(self) -> bool:
        """Whether it is CUDA on a machine that has it, perhaps under a question."""
        return self.is_cuda or self.is_conditional

    @property
    def premises(self) -> tuple[Premise, ...]:
        """The assumptions under which it is a GPU: it is known by its name alone, or a flag chooses it."""
        if self.kind == "other" or (self.is_flag and self.origin is not None):
            return (premises.OTHER_ON_GPU(device=self.text) if self.text else premises.FLAG_CHOOSES_GPU,)
        return ()

    @property
    def key(self) -> tuple[object, ...] | None:
        """Equal for devices that are CUDA under the same condition; None where that is not known."""
        if self.kind == "available":
            return AVAILABLE
        return condition(self.test, self.positive) if self.test is not None else None


AVAILABLE_DEVICE = Device("available")


def condition(test: Test, positive: bool) -> tuple[object, ...]:
    """The key of "`test` is true" (or, not positive, false)."""
    return test.key if positive != test.negated else ("not", test.key)


def device_of_word(word: object, text: str = "", accelerator: str = CUDA.name) -> Device | None:
    """The device that a word names, as ``torch.device(word)`` reads it: ``"cuda:1"``; None where it names none.

    accelerator: the type of devices that is in CUDA's place.
    """
    if not isinstance(word, str):
        return None
    head, colon, tail = word.partition(":")
    if head == accelerator:
        if colon and not tail.isdigit():
            return Device("index", text)  # "cuda:", to which a number is added
        return Device("cuda", text, int(tail) if colon else None)
    if head == "cpu":
        return Device("cpu", text)
    return Device("other", text) if head in _TYPES else None


def device_argument(call: ast.Call) -> ast.expr | None:
    """The device that a call moves something to, or makes it on: the first argument of ``x.to(device)`` and ``x.cuda(1)``, or that with
    the name `device`."""
    given = keyword_value(call, "device")
    moves = isinstance(call.func, ast.Attribute) and call.func.attr in ("to", "cuda")
    return call.args[0] if given is None and moves and call.args else given


def named_device(call: ast.Call) -> str:
    """The text of that device if it is known by its name or as a literal: ``device``, ``cfg["device"]``, ``global_device()``, ``"cuda:0"``;
    ".cuda()" for that call; "" for others."""
    given = device_argument(call)
    if given is None:
        plain = not call.args and all(keyword.arg == "non_blocking" for keyword in call.keywords)
        return ".cuda()" if plain and isinstance(call.func, ast.Attribute) and call.func.attr == "cuda" else ""
    if isinstance(given, ast.Constant):
        device = device_of_word(given.value)
        return ast.unparse(given) if device is not None and device.is_cuda else ""
    called = given.func if isinstance(given, ast.Call) and not given.args and not given.keywords else given
    return ast.unparse(given) if names_device(name_of(called)) else ""


def move_destination(value: ast.expr | None) -> str:
    """The device that the outermost call of an expression moves a tensor to, if it is known: ``x.to(device)``, ``x.cuda()``; "" for others."""
    moves = isinstance(value, ast.Call) and isinstance(value.func, ast.Attribute) and value.func.attr in ("to", "cuda")
    return named_device(value) if moves else ""  # type: ignore[arg-type]


def is_numbered(expr: ast.expr, accelerator: str = CUDA.name) -> bool:
    """Whether a string is put together that begins with the type of an accelerator: ``f"cuda:{rank}"``, ``"cuda:{}".format(rank)``, ``"cuda:" + rank``."""
    if isinstance(expr, ast.JoinedStr):
        begin: ast.expr | None = expr.values[0] if expr.values else None
    elif isinstance(expr, ast.BinOp):
        begin = expr.left
    elif isinstance(expr, ast.Call) and isinstance(expr.func, ast.Attribute) and expr.func.attr == "format":
        begin = expr.func.value
    else:
        return False
    return (literal_text(begin) or "").startswith(accelerator)


def number_in(device: ast.expr) -> ast.expr | None:
    """The number in an expression for a GPU: `n` in ``f"cuda:{n}"``, ``"cuda:{}".format(n)``, ``"cuda:%d" % n``, ``"cuda:" + str(n)`` and
    ``torch.device("cuda", n)``; None if it is not known which part is the number."""
    found: ast.expr | None = None
    if isinstance(device, ast.Call) and len(device.args) == 2:
        word, found = device.args
        return found if isinstance(word, ast.Constant) and word.value == CUDA.name else None
    if not is_numbered(device):
        return None
    if isinstance(device, ast.JoinedStr) and len(device.values) == 2:
        found = device.values[1].value if isinstance(device.values[1], ast.FormattedValue) else None
    elif isinstance(device, ast.Call) and len(device.args) == 1:
        found = device.args[0]
    elif isinstance(device, ast.BinOp):
        found = device.right
        if isinstance(found, ast.Call) and isinstance(found.func, ast.Name) and found.func.id == "str" and found.args:
            found = found.args[0]
    return found
