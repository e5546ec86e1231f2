"""Inject a placement bug into a correct script, let placefix repair it, and judge by the simulator.

    python benchmarks/mutation.py [--limit N] [--verbose] [--delete-only] [SCRIPT …]

The correct scripts are those of corpus/scripts as `apply --unsafe-fixes` leaves them, where they run clean.
A mutant counts if the simulator finds a device error in it (or, for hard-coded CUDA, if it fails without a
device); the others are harmless. Of those that count: repaired by the safe fixes, by the unsafe ones too,
reported only, silent, or harmed: an error of another kind, or other numbers than the correct script's.
"""

from __future__ import annotations

import argparse
import ast
import random
import tempfile
from collections import Counter, defaultdict
from pathlib import Path
from typing import TYPE_CHECKING

import placefix
from placefix.config import Options
from placefix.engine import Changed
from placefix.simulate.client import Simulator
from placefix.simulate.request import Request
from placefix.simulate.verify import CLEAN, DEVICE_ERROR, _numbers, failure, judge

if TYPE_CHECKING:
    from collections.abc import Iterator

CORPUS = Path(__file__).resolve().parent.parent / "corpus" / "scripts"
FACTORIES = {"zeros", "ones", "full", "arange", "eye", "tensor", "empty", "rand", "randn", "linspace", "randint"}


class Text:
    """A program's text, edited by positions in its tree."""

    def __init__(self, text: str) -> None:
        self.bytes = text.encode()
        self.starts = [0]
        for line in self.bytes.splitlines(keepends=True):
            self.starts.append(self.starts[-1] + len(line))

    def span(self, node: ast.AST) -> tuple[int, int]:
        """The byte offsets of a node."""
        begin = self.starts[node.lineno - 1] + node.col_offset  # type: ignore[attr-defined]
        end = self.starts[node.end_lineno - 1] + node.end_col_offset  # type: ignore[attr-defined]
        return begin, end

    def cut(self, node: ast.AST) -> str:
        """The text of a node."""
        begin, end = self.span(node)
        return self.bytes[begin:end].decode()

    def replaced(self, *edits: tuple[ast.AST, str]) -> str:
        """The text with nodes replaced."""
        out = self.bytes
        for node, new in sorted(edits, key=lambda edit: -self.span(edit[0])[0]):
            begin, end = self.span(node)
            out = out[:begin] + new.encode() + out[end:]
        return out.decode()


def is_move(node: ast.AST) -> bool:
    """Whether a call is `.to(device)` or `.cuda()` by the looks of it."""
    if not (isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute)):
        return False
    if node.func.attr == "cuda":
        return True
    if node.func.attr != "to" or not node.args:
        return False
    words = ast.unparse(node.args[0]).lower()
    return "dev" in words or "cuda" in words or "gpu" in words


def is_module(receiver: ast.expr, text: str) -> bool:
    """Whether what is moved is a module by the looks of it: it is called, or has parameters."""
    name = ast.unparse(receiver)
    if isinstance(receiver, ast.Call):
        called = ast.unparse(receiver.func).rpartition(".")[2]
        return called[:1].isupper() or called.startswith(("build", "make_model", "get_model"))
    return f"{name}(" in text or f"{name}.parameters()" in text or f"{name}.module" in text


def mutants(text: str) -> Iterator[tuple[str, int, str]]:
    """All mutants: the class, the line and the text."""
    tree, source = ast.parse(text), Text(text)
    for node in ast.walk(tree):
        line = getattr(node, "lineno", 0)
        if isinstance(node, ast.Call) and is_move(node) and isinstance(node.func, ast.Attribute):
            kind = "module not placed" if is_module(node.func.value, text) else "input or target not moved"
            yield kind, line, source.replaced((node, source.cut(node.func.value)))
            if node.func.attr == "to" and len(node.args) == 1 and not node.keywords:
                yield "CUDA hard-coded", line, source.replaced((node, source.cut(node.func.value) + ".cuda()"))
        if (
            isinstance(node, ast.Assign)
            and len(node.targets) == 1
            and isinstance(node.value, ast.Call)
            and is_move(node.value)
            and isinstance(node.value.func, ast.Attribute)
            and ast.unparse(node.targets[0]) == ast.unparse(node.value.func.value)
        ):
            yield "move discarded", line, source.replaced((node, source.cut(node.value)))
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "numpy":
            inner = node.func.value
            if isinstance(inner, ast.Call) and isinstance(inner.func, ast.Attribute) and inner.func.attr == "cpu":
                yield ".cpu() dropped", line, source.replaced((inner, source.cut(inner.func.value)))
        if isinstance(node, ast.Call) and ast.unparse(node.func).rpartition(".")[2] in FACTORIES:
            for keyword in node.keywords:
                if keyword.arg == "device":
                    kept = [source.cut(a) for a in node.args]
                    kept += [f"{k.arg}={source.cut(k.value)}" for k in node.keywords if k is not keyword]
                    made = f"{source.cut(node.func)}({', '.join(kept)})"
                    yield "device dropped", line, source.replaced((node, made))
        for body in (getattr(node, "body", None), getattr(node, "orelse", None)):
            if isinstance(body, list):
                yield from swaps(body, source)


def swaps(body: list[ast.stmt], source: Text) -> Iterator[tuple[str, int, str]]:
    """Two statements of a body exchanged: the placement, and the wrap or the optimizer after it."""
    for first, place in enumerate(body):
        value = place.value if isinstance(place, (ast.Assign, ast.Expr)) else None
        if not (isinstance(value, ast.Call) and is_move(value) and isinstance(value.func, ast.Attribute)):
            continue
        name = ast.unparse(value.func.value)
        for later in body[first + 1 :]:
            if not (isinstance(later, ast.Assign) and isinstance(later.value, ast.Call)):
                continue
            called = ast.unparse(later.value.func)
            if "optim" in called.lower() and f"{name}.parameters()" in ast.unparse(later.value):
                kind = "optimizer hoisted"
            elif "Parallel" in called or called == "DDP":
                kind = "wrap and place swapped"
            else:
                continue
            between = body[first + 1 : body.index(later)]
            if any(name in ast.unparse(statement) for statement in between):
                break
            yield kind, later.lineno, source.replaced((place, source.cut(later)), (later, source.cut(place)))
            break


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--limit", type=int, default=0, help="so many mutants, drawn by chance (0: all)")
    parser.add_argument("--verbose", action="store_true")
    parser.add_argument("--delete-only", action="store_true", help="only judge deleted moves, repair nothing")
    parser.add_argument("scripts", nargs="*")
    options = parser.parse_args()
    tally: dict[str, Counter[str]] = defaultdict(Counter)
    paths = [p for p in sorted(CORPUS.glob("*.py")) if not options.scripts or p.stem in options.scripts]
    with Simulator() as simulator, tempfile.TemporaryDirectory() as folder:

        def ask(path: Path, text: str, machines: tuple[int, ...]) -> tuple[int, list[str], str]:
            source = Path(folder) / "text.py"
            source.write_text(text, encoding="utf-8")
            request = Request(
                str(path), folder=folder, source=str(source), timeout=60, trace=True, shared_numbers=True,
                plain_optimizers=True,
            )  # fmt: skip
            found = judge(simulator, request, machines)
            said = f"{found.error['type']}: {found.error['text'][:120]}" if found.error else "; ".join(found.silent)
            return found.verdict, _numbers(found.reports[found.devices]), said

        def alone(path: Path, text: str) -> str:
            source = Path(folder) / "text.py"
            source.write_text(text, encoding="utf-8")
            error = failure(simulator.run(Request(str(path), folder=folder, source=str(source), timeout=60, devices=0)))
            return "" if error is None else error["text"]

        jobs = []
        for path in paths:
            try:
                text = path.read_text(encoding="utf-8-sig")
            except UnicodeDecodeError:  # one of the scripts is there for its coding cookie
                continue
            outcome = placefix.fix_source(text, name=path.name, options=Options(unsafe_fixes=True))
            text = (outcome.text if isinstance(outcome, Changed) else text).lstrip("\ufeff")
            if "spawn(" in text:  # seconds for every run, and the battery has them
                continue
            jobs += [(path, text, *mutant) for mutant in mutants(text)]
        if options.delete_only:
            jobs = [job for job in jobs if job[2] in ("input or target not moved", "module not placed")]
        if options.limit:
            random.Random(0).shuffle(jobs)
            jobs = jobs[: options.limit]
        bases: dict[Path, tuple[int, list[str], str]] = {}
        for path, text, kind, line, mutant in jobs:
            machines = (1, 2) if "Parallel" in text else (1,)
            if path not in bases:
                bases[path] = ask(path, text, machines)
            base = bases[path]
            if base[0] != CLEAN:
                continue
            verdict, _, said = ask(path, mutant, machines)
            counts = verdict == DEVICE_ERROR
            if kind == "CUDA hard-coded":
                counts = bool(alone(path, mutant)) and not alone(path, text)
            if options.delete_only or not counts:
                result = "device error" if counts else "harmless" if verdict == CLEAN else "not judged"
            else:
                result = ""
            tried = () if options.delete_only else (("safe", False), ("unsafe", True))
            for name, unsafe in tried:
                outcome = placefix.fix_source(mutant, name=path.name, options=Options(unsafe_fixes=unsafe))
                if not isinstance(outcome, Changed):
                    continue
                after = ask(path, outcome.text, machines)
                if after[0] == CLEAN and after[1] != base[1]:
                    result = "harmed"
                elif after[0] == CLEAN and (kind != "CUDA hard-coded" or not alone(path, outcome.text)):
                    result = result or name
                elif after[0] != CLEAN and not counts:
                    result = "harmed"
                if result in ("safe", "harmed"):
                    break
            if not result:
                found = placefix.check_source(mutant, name=path.name)
                result = "reported" if any(_near(mutant, f, line) for f in found) else "silent"
            tally[kind][result] += 1
            if options.verbose or result == "harmed":
                print(f"{result:<12} {kind:<24} {path.stem}:{line} {said}", flush=True)
    _print(tally)


def _near(text: str, found: placefix.Diagnostic, line: int) -> bool:
    """Whether a finding is about the part of the program that was changed."""
    return abs(text.count("\n", 0, found.span.start) + 1 - line) <= 12


def _print(tally: dict[str, Counter[str]]) -> None:
    columns = [
        column
        for column in ("safe", "unsafe", "reported", "silent", "harmed", "device error", "harmless", "not judged")
        if any(row[column] for row in tally.values())
    ]
    print(f"{'injected':<26}" + "".join(f"{column:>13}" for column in columns))
    total: Counter[str] = Counter()
    for kind, row in sorted(tally.items()):
        total.update(row)
        print(f"{kind:<26}" + "".join(f"{row[column]:>13}" for column in columns))
    print(f"{'all':<26}" + "".join(f"{total[column]:>13}" for column in columns))
    judged = sum(total[c] for c in ("safe", "unsafe", "reported", "silent", "harmed"))
    if judged:
        safe, repaired = total["safe"] / judged, (total["safe"] + total["unsafe"]) / judged
        print(f"repaired: {safe:.1%} safe, {repaired:.1%} with the unsafe fixes; harmed {total['harmed']} of {judged}")


if __name__ == "__main__":
    main()
