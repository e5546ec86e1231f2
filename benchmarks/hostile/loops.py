"""Loops over batches that are moved whole, in part, or not at all."""

from __future__ import annotations

from typing import TYPE_CHECKING

from adversary_program import fill, indent
from hostile.piece import piece, seed_line

if TYPE_CHECKING:
    from adversary_program import Program

_DATA = """
class @name(Dataset):
    def __len__(self):
        return 4

    def __getitem__(self, i):
        x, y = torch.full((3,), float(i)), torch.ones(3)
        return @item
"""


def _loader(p: Program) -> tuple[str, str, str, str]:
    """A loader in the body: its name, its target, and how input and target of the step are reached."""
    p.imports.append("from torch.utils.data import DataLoader, Dataset, TensorDataset")
    loader = p.name("loader", "train_loader", "batches", "dl")
    kind = p.one(
        "tensors", "tensors", "own", "dict", "more", "strings", "collate", "list", "cuda", "generator", "numbers"
    )
    x, y = p.one("x", "data", "images"), p.one("y", "target", "labels")
    if kind == "tensors":
        p.run(f"{loader} = DataLoader(TensorDataset(torch.randn(4, 3), torch.randn(4, 3)), batch_size=2)")
        return loader, f"{x}, {y}", x, y
    if kind == "list":
        p.run(f"{loader} = [(torch.randn(2, 3), torch.randn(2, 3)) for _ in range(2)]")
        return loader, f"{x}, {y}", x, y
    if kind == "cuda":
        p.run(f"{loader} = [(torch.randn(2, 3).cuda(), torch.randn(2, 3).cuda()) for _ in range(2)]")
        return loader, f"{x}, {y}", x, y
    if kind == "generator":
        name = p.name("batches_of", "stream")
        where = p.one("", "", ".cuda()")
        p.define(
            f"def {name}(n):\n    for _ in range(n):\n        yield torch.ones(2, 3){where}, torch.zeros(2, 3){where}"
        )
        p.run(f"{loader} = {name}(2)")
        return loader, f"{x}, {y}", x, y
    data = p.name("Pairs", "Samples", "Set")
    items = {"own": ("x, y", f"{x}, {y}", x, y), "dict": ('{"x": x, "y": y}', "batch", 'batch["x"]', 'batch["y"]'), "more": ("x, y, i", f"{x}, {y}, idx", x, y),
             "strings": ('x, y, "a"', f"{x}, {y}, names", x, y), "collate": ("(x, y)", f"{x}, {y}", x, y), "numbers": ("(x, y), i", f"({x}, {y}), idx", x, y)}  # fmt: skip
    item, target, one, other = items[kind]
    p.define(fill(_DATA, name=data, item=item))
    extra = ""
    if kind == "collate":
        collate = p.name("collate", "stack")
        where = p.one("", "", ".cuda()")
        p.define(
            f"def {collate}(rows):\n    return torch.stack([r[0] for r in rows]){where}, torch.stack([r[1] for r in rows]){where}"
        )
        extra = f", collate_fn={collate}"
    p.run(f"{loader} = DataLoader({data}(), batch_size=2{extra})")
    return loader, target, one, other


@piece(6, faulty=True, rules="PF301")
def _loop_without_a_move(p: Program) -> None:
    """A loop over a loader of any kind; of the batch all, one half or nothing is moved, and it may be needed on the CPU as well."""
    device, net = p.device(), p.name("net", "model")
    p.run(f"{seed_line(p)}\n{net} = nn.Linear(3, 3).to({device})")
    loader, target, x, y = _loader(p)
    moves = p.one("none", "none", "x", "y", "both")
    move = p.one(f".to({device})", ".cuda()", f".to({device}, non_blocking=True)")
    body = []
    if "batch[" in x:
        names = p.one(("inputs", "goals"), ("a", "b"), (x, y))
        if names[0] != x:
            body.append(f"{names[0]}, {names[1]} = {x}, {y}" if p.yes(0.4) else f"{names[0]} = {x}\n{names[1]} = {y}")
            x, y = names
    if moves in ("x", "both"):
        body.append(f"{x} = {x}{move}")
    if moves in ("y", "both"):
        body.append(f"{y} = {y}{move}")
    uses = (
        "", "", "", f"seen.append({y}.numpy().sum())", f"seen.append(len({x}))", f"seen += {y}.tolist()[0]", f"seen.append({x}.shape[0])",
        f"host = {y}.numpy()\nseen.append(host.sum())", f"for row in {x}:\n    seen.append(row.sum().item())", f"print({x}.device.type)", f"total += {y}.sum(0)",
        f"if {x}.is_cuda:\n    print('gpu')", f"kept.append({y})", f"{x} = {x} * 2", f"{x}[:, 0] = 0", f"assert not {y}.is_cuda", f"seen.append(table[{y}.long().flatten()[0]])",
        f"mask = {y} > 0\nseen.append(mask.sum().item())",
    )  # fmt: skip
    body += [p.chance.choice(uses) for _ in range(p.chance.choice((0, 1, 1, 2)))]
    out = p.one("out", "pred", "logits")
    body.append(f"{out} = {net}({x})")
    body.append(
        p.one(
            f"loss = F.mse_loss({out}, {y})",
            f"loss = ({out} - {y}).pow(2).mean()",
            f"loss = criterion({out}, {y})",
            f"loss = F.mse_loss({out}.cpu(), {y}.cpu())",
            f"loss = {out}.sum()",
        )
    )
    if p.yes(0.6):
        body.append("opt.zero_grad()\nloss.backward()\nopt.step()")
    after = ("", "", f"seen.append(({out}.detach().cpu() == {y}.cpu()).sum().item())", f"seen.append({y}.sum().item())", f"seen.append({out}.detach().cpu().numpy().sum())",
             f"hits = {out}.detach().cpu() - {y}\nseen.append(hits.sum().item())", "seen.append(loss.item())")  # fmt: skip
    body.append(p.chance.choice(after))
    head = p.one(
        f"for {target} in {loader}:",
        f"for {target} in {loader}:",
        f"for i, ({target}) in enumerate({loader}):",
        f"for i, batch_ in enumerate({loader}):\n    {target} = batch_",
    )
    if "," not in target and "i, (" in head:
        head = f"for i, {target} in enumerate({loader}):"
    loop = f"{head}\n" + indent("\n".join(line for line in body if line))
    start = f"opt = torch.optim.SGD({net}.parameters(), lr=0.1)\ncriterion = nn.MSELoss()\nseen, kept, table, total = [], [], [1, 2, 3], torch.zeros(3)\n"
    end = "\nprint(round(float(sum(seen)), 4), total.sum().item())"
    if p.yes(0.35):
        name = p.name("train", "evaluate", "run_epoch")
        head, call = p.chance.choice((("m, data_of, @d", ", @d"), ("m, data_of", ""), ("m, data_of, @d=None", ", @d"), ("m, data_of, @d='cpu'", ", @d")))  # fmt: skip
        text = (start + loop + end).replace(f"{net}(", "m(").replace(f"{net}.", "m.").replace(loader, "data_of")
        p.define(f"def {name}({head.replace('@d', device)}):\n{indent(text)}\n    return m")
        p.run(f"{name}({net}, {loader}{call.replace('@d', device)})")
    else:
        p.run(start + loop + end)


@piece(3, faulty=True, shows="fixes that do not settle")
def _unsettled(p: Program) -> None:
    """A function in which the device is something else, with a wrap, a criterion and a loop that moves one half of the batch."""
    p.several = True
    device = p.device()
    name = p.name("train", "fit", "run_all")
    local = p.one("None", "None", '"cpu"', "0", 'torch.device("cpu")')
    where = p.one(f".to({device})", f".to({device})", ".cuda()")
    model = p.one(
        "nn.DataParallel(nn.Linear(3, 3))",
        "nn.DataParallel(nn.Linear(3, 3))",
        "nn.Linear(3, 3)",
        "nn.DataParallel(net)",
    )
    order = p.one("wrap", "wrap", "later")
    lines = [f"{device} = {local}", "net = nn.Linear(3, 3)" if "(net)" in model else ""]
    lines += [f"model = {model}{where}"] if order == "wrap" else [f"model = {model}", f"model = model{where}"]
    lines += [
        "criterion = " + p.one("nn.CrossEntropyLoss()", "nn.MSELoss()", "nn.CrossEntropyLoss(weight=torch.ones(3))") + p.one(where, where, ""),
        "opt = torch.optim.SGD(model.parameters(), lr=0.1)",
        fill(
            """
            for images, labels in loader:
                image = images@move
                loss = criterion(model(image), labels@other)
                opt.zero_grad()
                loss.backward()
                opt.step()
            """, move=where, other=p.one("", "", where)),
        "print(loss.item())",
    ]  # fmt: skip
    if p.yes(0.3):
        lines = [lines[1], *lines[2:4], lines[0], *lines[4:]]
    given = p.one("loader", "loader", "loader, n=1")
    p.define(f"def {name}({given}):\n" + indent("\n".join(line for line in lines if line)))
    p.run(f"{seed_line(p)}\n{name}([(torch.randn(2, 3), torch.ones(2, 3)) for _ in range(2)])")
