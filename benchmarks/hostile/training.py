"""Training loops, optimizers, and networks that are wrapped."""

from __future__ import annotations

from typing import TYPE_CHECKING

from adversary_program import fill, indent
from hostile.piece import add_net, piece, seed_line

if TYPE_CHECKING:
    from adversary_program import Program


def add_loader(p: Program, kind: str) -> str:
    """A data set in the body; returns the loader's name."""
    loader = p.name("loader", "train_loader", "dataloader", "batches")
    p.imports.append("from torch.utils.data import DataLoader, TensorDataset, Dataset")
    if kind == "dict":
        data = p.name("Pairs", "Data", "Samples")
        p.define(fill(
            """
            class @data(Dataset):
                def __len__(self):
                    return 4

                def __getitem__(self, i):
                    return {"x": torch.full((3,), float(i)), "y": torch.ones(3)}
            """, data=data))  # fmt: skip
        p.run(f"{loader} = DataLoader({data}(), batch_size=2)")
    elif kind == "list":
        p.run(f"{loader} = [(torch.randn(2, 3), torch.randn(2, 3)) for _ in range(2)]")
    else:
        p.run(f"{loader} = DataLoader(TensorDataset(torch.randn(4, 3), torch.randn(4, 3)), batch_size=2)")
    return loader


def add_training(
    p: Program, net: str, *, moves: tuple[str, str], wrap: str = "", criterion: str = "F.mse_loss", opt: str = ""
) -> None:
    """A training loop in the body: each of input and target is moved as said."""
    kind = p.one("pair", "pair", "dict", "list", "one")
    loader = add_loader(p, kind)
    opt = opt or p.name("opt", "optimizer")
    if not wrap:
        p.run(f"{opt} = torch.optim.{p.one('SGD', 'Adam', 'AdamW')}({net}.parameters(), lr=0.1)")
    x, y = p.one(("x", "y"), ("data", "target"), ("images", "labels"))
    if kind == "dict":
        head = [f'{x} = batch["x"]{moves[0]}', f'{y} = batch["y"]{moves[1]}']
        target = "batch"
    elif kind == "one":
        head, target = (
            [
                f"{x}, {y} = batch",
                *([f"{x} = {x}{moves[0]}"] if moves[0] else []),
                *([f"{y} = {y}{moves[1]}"] if moves[1] else []),
            ],
            "batch",
        )
    else:
        head, target = (
            [*([f"{x} = {x}{moves[0]}"] if moves[0] else []), *([f"{y} = {y}{moves[1]}"] if moves[1] else [])],
            f"{x}, {y}",
        )
        if moves[0] and moves[1] and p.yes(0.3):
            head = [f"{x}, {y} = {x}{moves[0]}, {y}{moves[1]}"]
    if p.yes(0.2):
        target = f"i, ({target})" if "," in target else f"i, {target}"
        loop = f"for {target} in enumerate({loader}):"
    else:
        loop = f"for {target} in {loader}:"
    losses = p.name("losses", "history")
    track = p.one(
        f"{losses}.append(loss.item())", f"{losses} += [loss.detach().cpu()]", f"{losses}.append(float(loss))"
    )
    body = [
        *head,
        f"loss = {criterion}({net}({x}), {y})",
        f"{opt}.zero_grad()",
        "loss.backward()",
        f"{opt}.step()",
        track,
    ]
    p.run(f"{losses} = []\n{loop}\n" + indent("\n".join(body)) + f"\nprint(round(float(sum({losses})), 4))")


@piece(6, rules="PF401")
def _hard_coded_training(p: Program) -> None:
    """A training that says CUDA everywhere, perhaps under flags for things that have nothing to do with it."""
    net = add_net(p)
    criterion = p.one("F.mse_loss", "nn.MSELoss().cuda()", "nn.MSELoss()")
    if p.yes(0.3):
        guard = p.flag()
        p.run(f"if {guard.test}:\n    print('flag')")
    move = p.one(".cuda()", ".cuda(non_blocking=True)", '.to("cuda")')
    add_training(p, net, moves=(move, move), criterion=criterion)


@piece(5, faulty=True, rules="PF301")
def _forgotten_batch(p: Program) -> None:
    """A training that moves the network and forgets input, target or both."""
    net, device = p.name("net", "model"), p.device()
    p.run(f"{seed_line(p)}\n{net} = nn.Linear(3, 3).to({device})")
    moved = f".to({device})"
    add_training(p, net, moves=p.one(("", ""), (moved, ""), ("", moved)))
