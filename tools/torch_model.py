"""Write `src/placefix/torch_model/generated.tsv`: one row per operator of torch, from native_functions.yaml and the signatures of Python.

    python tools/torch_model.py           # write the file
    python tools/torch_model.py --check   # exit code 1 where the file is not what this torch gives

Needs the torch that the rows are about (`TORCH`) and PyYAML. The columns are described in `placefix.torch_model.rows`. What is generated may be
wrong in places: `reviewed.tsv` beside the file corrects it, and tests/simulate/test_torch_model.py measures both.
"""

from __future__ import annotations

import inspect
import sys
from collections import defaultdict
from pathlib import Path
from typing import Any

import torch
import torch.nn.functional as F  # noqa: N812
import torchgen
import yaml
from torchgen.model import FunctionSchema, SchemaKind

TORCH = "2.13.0"
FILE = Path(__file__).resolve().parents[1] / "src" / "placefix" / "torch_model" / "generated.tsv"
YAML = Path(torchgen.__file__).parent / "packaged" / "ATen" / "native" / "native_functions.yaml"
# Their functions are written torch.linalg.norm, and are called linalg_norm in the file.
NAMESPACES = ("linalg", "special", "fft")
COLUMNS = ("name", "spellings", "operands", "returns", "device", "together", "rank", "marks")
HEADER = "# Written by tools/torch_model.py from torch {}. Do not edit: corrections go to reviewed.tsv.\n"

# Their first operand may be a number, too (should_allow_numbers_as_tensors in python_arg_parser.cpp).
TAKE_NUMBERS = {"add", "sub", "mul", "div", "floor_divide", "true_divide", "multiply", "subtract", "divide"}
KEYWORD = 99  # the position of operands that are given by keyword only
# Functions of Python's modules that are no operators.
NO_OPERATORS = {
    "assert_int_or_pair",
    "boolean_dispatch",
    "handle_torch_function",
    "has_torch_function",
    "broadcast_shapes",
    "boolean_dispatched",
}


def public(name: str) -> tuple[str, list[str]]:
    """The name by which Python knows an operator of the file, and its spellings."""
    for namespace in NAMESPACES:
        inner = name.removeprefix(f"{namespace}_")
        if inner != name and callable(getattr(getattr(torch, namespace), inner, None)):
            return f"{namespace}.{inner}", ["torch"]
    spellings = []
    if callable(getattr(torch, name, None)):
        spellings.append("torch")
    if callable(getattr(F, name, None)):
        spellings.append("F")
    own = getattr(torch.Tensor, name, None)
    if own is not None:
        spellings.append("attribute" if isinstance(own, property) or inspect.isgetsetdescriptor(own) else "method")
    if hasattr(torch.Tensor, f"{name}_"):
        spellings.append("inplace")
    return name, spellings


def kind(type_: str) -> str:
    """What a returned type is: tensor, list, number, bool."""
    if type_ == "Tensor":
        return "tensor"
    if type_ == "Tensor[]":
        return "list"
    if type_ == "bool":
        return "bool"
    return "number" if type_ in ("int", "SymInt", "float", "Scalar") else "other"


def returned(schema: FunctionSchema) -> str:
    """What a call gives: a kind, or tuple2 with the number of tensors."""
    if not schema.returns:
        return "none"
    if len(schema.returns) == 1:
        return kind(str(schema.returns[0].type))
    return f"tuple{len(schema.returns)}"


def at(position: int, number: int) -> str:
    """How the position of the operand of a number is written."""
    return "@k" if position == KEYWORD else f"@{position}" if position != number else ""


class Group:
    """The overloads of one operator."""

    def __init__(self) -> None:
        self.schemas: list[FunctionSchema] = []
        self.tags: set[str] = set()
        self.unchecked = False
        self.out = False
        self.inplace: list[FunctionSchema] = []

    def add(self, entry: dict[str, Any]) -> None:
        schema = FunctionSchema.parse(entry["func"])
        if schema.kind() is SchemaKind.out:
            self.out = True
            return
        tags = entry.get("tags", [])
        self.tags.update([tags] if isinstance(tags, str) else tags)
        self.unchecked |= entry.get("device_check") == "NoCheck"
        (self.inplace if schema.kind() is SchemaKind.inplace else self.schemas).append(schema)

    def row(self, name: str, spellings: list[str]) -> tuple[str, ...]:
        schemas = self.schemas or self.inplace
        operands: dict[tuple[int, str], str] = {}
        others: set[int] = set()  # positions that take something else in some overload
        takes_device = False
        for schema in schemas:
            if schema.arguments.tensor_options is not None:
                takes_device = True
            for position, argument in enumerate(schema.arguments.flat_positional):
                if not str(argument.type).startswith("Tensor"):
                    others.add(position)
                    continue
                called = "input" if argument.name == "self" else argument.name
                operands.setdefault((position, called), "*" if "[" in str(argument.type) else "")
            for argument in schema.arguments.flat_kwarg_only:
                if str(argument.type).startswith("Tensor"):
                    operands.setdefault((KEYWORD, argument.name), "*" if "[" in str(argument.type) else "")
        if name in TAKE_NUMBERS:
            others.add(0)
        returns = sorted({returned(schema) for schema in schemas}, key=lambda r: (r != "tensor", r))
        several = len({called for _, called in operands}) > 1 or "*" in operands.values()
        if not operands:
            device = "argument" if takes_device else "none"
        else:
            device = "operands or argument" if takes_device else "operands"
        together = "" if not several else "scalars" if self.unchecked else "all"
        rank = "keeps" if "pointwise" in self.tags else "reduces" if "reduction" in self.tags else ""
        marks = []
        if any(r.annotation is not None and not r.annotation.is_write for schema in schemas for r in schema.returns):
            marks.append("view")
        if "nondeterministic_seeded" in self.tags:
            marks.append("random")
        if self.out:
            spellings = [*spellings, "out"]
        text = [
            called + star + ("?" if position in others else "") + at(position, number)
            for number, ((position, called), star) in enumerate(sorted(operands.items()))
        ]
        return (name, " ".join(spellings), ",".join(text), "|".join(returns), device, together, rank, " ".join(marks))


def of_python(name: str, function: Any, spellings: list[str]) -> tuple[str, ...] | None:
    """The row of a function that is written in Python, by the annotations of its parameters; None without any tensor."""
    try:
        parameters = inspect.signature(inspect.unwrap(function)).parameters
    except (TypeError, ValueError):
        return None
    operands = []
    for position, parameter in enumerate(parameters.values()):
        written = str(parameter.annotation).replace("torch.", "")
        if "Tensor" in written:
            star = "*" if "[" in written.replace("Optional[", "") or parameter.kind is parameter.VAR_POSITIONAL else ""
            place = KEYWORD if parameter.kind is parameter.KEYWORD_ONLY else position
            operands.append(parameter.name + star + at(place, len(operands)))
    if not operands:
        return None
    several = len(operands) > 1 or "*" in operands[0]
    return (name, " ".join(spellings), ",".join(operands), "tensor", "operands", "all" if several else "", "", "")


def rows() -> list[tuple[str, ...]]:
    """All rows, by name."""
    groups: dict[str, Group] = defaultdict(Group)
    for entry in yaml.load(YAML.read_text(), Loader=yaml.CSafeLoader):
        name = entry["func"].split("(")[0].split(".")[0].removesuffix("_")
        if not name.startswith("_"):
            groups[name].add(entry)
    found: dict[str, tuple[str, ...]] = {}
    for name, group in groups.items():
        called, spellings = public(name)
        if spellings and "._" not in called and (group.schemas or group.inplace):
            found[called] = group.row(called, spellings)
    for module, prefix in ((torch.functional, "torch"), (F, "F")):
        for name in sorted(vars(module)):
            function = getattr(module, name)
            own = callable(function) and not isinstance(function, type) and not name.startswith("_")
            if not own or name in found or name in NO_OPERATORS or (prefix == "torch" and not hasattr(torch, name)):
                continue
            if name.endswith("_") and name[:-1] in found:
                continue
            row = of_python(name, function, public(name)[1])
            if row is not None:
                found[name] = row
    return [found[name] for name in sorted(found)]


def text() -> str:
    """The file."""
    lines = ["\t".join(COLUMNS), *("\t".join(row).rstrip("\t") for row in rows())]
    return HEADER.format(TORCH) + "\n".join(lines) + "\n"


def main() -> int:
    if torch.__version__.partition("+")[0] != TORCH:
        print(f"the rows are about torch {TORCH}, this is {torch.__version__}", file=sys.stderr)
        return 2
    made = text()
    if sys.argv[1:] == ["--check"]:
        return int(not FILE.exists() or FILE.read_text(encoding="utf-8") != made)
    FILE.write_text(made, encoding="utf-8", newline="\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
