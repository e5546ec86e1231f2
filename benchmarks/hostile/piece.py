"""What a piece is, and what several of them write."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable

    from adversary_program import Guard, Program


class Piece(NamedTuple):
    """A kind of piece: its name, what writes it, and how often it is drawn."""

    name: str
    write: Callable[[Program], None]
    weight: int
    alone: bool  # it is the only piece of its program
    faulty: bool  # it fails on a GPU, so that there is something to repair; at most one of these in a program
    bare: bool  # its program defines no device of the module level
    apart: bool  # a program with it has a process to itself
    rules: tuple[str, ...]  # whose safe fixes it is for
    shows: str  # the class of wrong edits that it may show


PIECES: dict[str, Piece] = {}


def piece(
    weight: int = 4,
    *,
    alone: bool = False,
    faulty: bool = False,
    bare: bool = False,
    apart: bool = False,
    rules: str = "",
    shows: str = "",
) -> Callable[[Callable[[Program], None]], Callable[[Program], None]]:
    """Register a function as a piece under its own name. rules: their codes, with spaces between."""

    def registered(write: Callable[[Program], None]) -> Callable[[Program], None]:
        name = write.__name__.strip("_")
        PIECES[name] = Piece(name, write, weight, alone, faulty, bare, apart, tuple(rules.split()), shows)
        return write

    return registered


def seed_line(p: Program) -> str:
    return f"torch.manual_seed({p.chance.randrange(100)})"


def layer_text(p: Program, here: str = "nn") -> str:
    return p.one(
        f"{here}.Linear(3, 3)", f"{here}.Linear(3, 3)", f"{here}.Sequential({here}.Linear(3, 3), {here}.ReLU())"
    )


def add_net(p: Program, *, cuda: bool = True) -> str:
    """A network in the body, on the GPU or not."""
    net = p.name("net", "model", "encoder", "critic", "student")
    made = layer_text(p)
    p.run(seed_line(p))
    if not cuda:
        p.run(f"{net} = {made}")
    elif p.yes(0.7):
        p.run(f"{net} = {p.on_gpu(made)}")
    else:
        p.run(f"{net} = {made}\n" + p.one(f"{net}.cuda()", f"{net} = {net}.cuda()", p.on_gpu(net)))
    return net


def printed(p: Program, what: str) -> str:
    return p.one(
        f"print({what}.sum().item())", f"print({what}.detach().cpu().numpy().sum())", f'print(f"{{{what}.mean().item():.4f}}")',
        f"print({what}.detach().sum())",
    )  # fmt: skip


def as_value(guard: Guard) -> str:
    return f"bool({guard.test})"
