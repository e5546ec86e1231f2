"""Programs that name no device at all: what `--add-placement` is for."""

from __future__ import annotations

from typing import TYPE_CHECKING

from adversary_program import fill, indent
from hostile.piece import piece, seed_line
from hostile.training import add_training

if TYPE_CHECKING:
    from adversary_program import Program


@piece(6, alone=True, faulty=True, bare=True, rules="PF501")
def _unplaced(p: Program) -> None:
    """A network and its training."""
    net = p.name("net", "model")
    p.run(f"{seed_line(p)}\n{net} = nn.Linear(3, 3)")
    add_training(p, net, moves=("", ""))


@piece(10, alone=True, faulty=True, bare=True, rules="PF501")
def _unplaced_and_more(p: Program) -> None:
    """Networks, criteria, states and evaluations in functions and classes, read by numpy, saved, copied and stepped."""
    net, opt, loader = p.name("net", "model"), p.name("opt", "optimizer"), p.name("loader", "train_loader")
    made = p.one("nn.Linear(3, 3)", "nn.Sequential(nn.Linear(3, 3), nn.ReLU(), nn.Linear(3, 3))", "own")
    if made == "own":
        name = p.name("Net", "Model")
        extra = p.one(
            "",
            "self.register_buffer('m', torch.zeros(3))",
            "self.m = torch.zeros(3)",
            "self.m = nn.Parameter(torch.zeros(3))",
            "self.parts = [nn.Linear(3, 3)]",
        )
        use = p.one(
            "self.l(x)",
            "self.l(x)",
            "self.l(x) + torch.ones(3)",
            "self.l(x) * torch.arange(3)",
            "self.l(x + torch.randn(x.shape) * 0)",
        ) + (" + self.m" if "self.m" in extra else "")
        p.elsewhere(fill("class @name(nn.Module):\n    def __init__(self):\n        super().__init__()\n        self.l = nn.Linear(3, 3)\n        @extra\n\n    def forward(self, x):\n        return @use",
                         name=name, extra=extra or "self.n = 3", use=use), name, ("models",), share=0.3)  # fmt: skip
        made = f"{name}()"
    criterion = p.one(
        "nn.MSELoss()", "nn.MSELoss()", "nn.L1Loss()", "nn.BCEWithLogitsLoss(weight=torch.ones(3))", "F.mse_loss"
    )
    p.imports.append("from torch.utils.data import DataLoader, TensorDataset")
    lines = [seed_line(p), f"{net} = {made}", f"criterion = {criterion}"]
    lines.append(
        p.one(
            f"{loader} = DataLoader(TensorDataset(torch.rand(4, 3), torch.rand(4, 3)), batch_size=2)",
            f"{loader} = [(torch.rand(2, 3), torch.rand(2, 3)) for _ in range(2)]",
        )
    )
    lines.append(f"{opt} = torch.optim.{p.one('SGD', 'Adam', 'Adagrad')}({net}.parameters(), lr=0.1)")
    if p.yes(0.25):
        p.imports.append("import copy")
        lines.append(f"twin = copy.deepcopy({net})")
    middle = (
        "",
        "",
        "noise = torch.zeros(x.shape)\nx = x + noise",
        "x = x * 2",
        "total += y.numpy().sum()",
        "seen.append(len(x))",
        "w = torch.ones(3)\ny = y * w",
        "idx = torch.arange(2)\nx = x[idx]",
    )
    after = ("seen.append(loss.item())", "seen.append(out.detach().numpy().sum())", "seen.append(loss.detach().numpy().item())", "running += out.detach().sum(0)", "seen.append((out.detach() - y).abs().max().item())",
             "seen += out.tolist()[0]", "best = {k: v.clone() for k, v in model_.state_dict().items()}".replace("model_", net))  # fmt: skip
    body = [
        p.chance.choice(middle),
        f"out = {net}(x)",
        "loss = criterion(out, y)",
        f"{opt}.zero_grad()",
        "loss.backward()",
        f"{opt}.step()",
        p.chance.choice(after),
        p.chance.choice(after),
    ]
    loop = (
        f"seen, total, running = [], 0.0, torch.zeros(3)\nfor x, y in {loader}:\n"
        + indent("\n".join(b for b in body if b))
        + "\nprint(round(float(sum(seen)), 3), running.sum().item())"
    )
    if p.yes(0.3):
        name = p.name("train", "fit")
        args = f"{net}, criterion, {opt}, {loader}"
        p.define(f"def {name}({args}):\n{indent(loop)}\n    return {net}")
        lines.append(f"{p.one('', f'{net} = ')}{name}({args})")
    else:
        lines.append(loop)
    if p.yes(0.5):
        lines.append(p.one(f"torch.save({net}.state_dict(), 'a.pt')\n{net}.load_state_dict(torch.load('a.pt'))", f"with torch.no_grad():\n    print({net}(torch.ones(1, 3)).sum().item())",
                           f"print(sum(q.sum().item() for q in {net}.parameters()))", f"print(next({net}.parameters()).detach().numpy().shape)", f"torch.save({net}, 'b.pt')",
                           f"print(criterion({net}(torch.ones(1, 3)), torch.zeros(1, 3)).item())"))  # fmt: skip
    p.run("\n".join(lines))
