"""Checkpoints: what is saved, where it is loaded to, and what is done with it beside."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hostile.piece import add_net, piece, seed_line

if TYPE_CHECKING:
    from adversary_program import Program


@piece(5, rules="PF405")
def _loaded(p: Program) -> None:
    """Weights, optimizers, scalars and tensors that go into networks, other dicts, functions and operations."""
    net, path, state = (
        add_net(p, cuda=p.yes(0.8)),
        p.name("path", "ckpt_path", "weights_file"),
        p.name("state", "ckpt", "saved"),
    )
    other, opt = p.name("restored", "student", "ema"), p.name("opt", "optimizer")
    placed = p.yes(0.7)
    made = p.on_gpu("nn.Linear(3, 3)") if placed else "nn.Linear(3, 3)"
    load = p.one("torch.load", "torch.load", "torch.load", "load")
    if load == "load":
        p.imports.append("from torch import load")
    lines = [
        f'{path} = "{path}.pt"',
        seed_line(p),
        f"{other} = {made}",
        f"{opt} = torch.optim.SGD({other}.parameters(), lr=0.1, momentum=0.9)",
    ]
    if p.yes(0.4):
        lines.append(f"{other}(torch.ones(2, 3).to({other}.weight.device)).sum().backward()\n{opt}.step()")
    saved = f'torch.save({{"net": {other}.state_dict(), "opt": {opt}.state_dict(), "epoch": 2, "loss": {other}.weight.detach().mean(), "args": ["a"]}}, {path})'
    kind = p.one(
        "weights",
        "weights",
        "both",
        "both",
        "filter",
        "prefix",
        "average",
        "function",
        "method",
        "items",
        "compare",
        "update",
        "pop",
        "rng",
        "strict",
        "copy",
        "twice",
        "attribute",
    )
    call = f"{load}({path})"
    whole = f"torch.save({other}.state_dict(), {path})"
    if kind == "weights":
        lines += [
            whole,
            p.one(
                f"{other}.load_state_dict({call})",
                f"{state} = {call}\n{other}.load_state_dict({state})",
                f"print({other}.load_state_dict({call}))",
            ),
        ]
    elif kind == "both":
        lines += [
            saved,
            f'{state} = {call}\n{other}.load_state_dict({state}["net"])\n{opt}.load_state_dict({state}["opt"])\nprint({state}["epoch"] + 1)',
        ]
    elif kind == "filter":
        lines += [
            whole,
            f"{state} = {call}\n{state} = {{k: v for k, v in {state}.items() if v.dim() > 0}}\n{other}.load_state_dict({state}, strict=False)",
        ]
    elif kind == "prefix":
        lines += [
            f"torch.save({{'module.' + k: v for k, v in {other}.state_dict().items()}}, {path})",
            f"{state} = {call}\n{other}.load_state_dict({{k[7:]: v for k, v in {state}.items()}})",
        ]
    elif kind == "average":
        lines += [
            whole,
            f"one, two = {call}, {call}\nfor k in one:\n    one[k] = (one[k] + two[k]) / 2\n{other}.load_state_dict(one)",
        ]
    elif kind == "function":
        name = p.name("restore", "load_weights")
        p.elsewhere(
            f"def {name}(m, path):\n    state = torch.load(path)\n    m.load_state_dict(state)\n    return {p.one('m', 'state', 'len(state)')}",
            name,
            ("checkpoints", "io_of"),
            share=0.4,
        )
        lines += [whole, f"result = {name}({other}, {path})\nprint(type(result).__name__)"]
    elif kind == "method":
        name = p.name("Keeper", "Saver")
        p.define(
            f"class {name}:\n    def __init__(self, m):\n        self.m = m\n        self.best = None\n\n    def restore(self, path):\n        self.best = torch.load(path)\n        self.m.load_state_dict(self.best)\n        return self.m"
        )
        keeper = p.name("keeper", "saver")
        lines += [
            whole,
            f"{keeper} = {name}({other})\n{keeper}.restore({path})"
            + p.one("", f"\nprint(({keeper}.best['weight'] - {other}.weight).abs().sum().item())"),
        ]
    elif kind == "items":
        lines += [
            saved,
            f'{state} = {call}\nfor k, v in {state}["net"].items():\n    print(k, v.shape)\n{other}.load_state_dict({state}["net"])',
        ]
    elif kind == "compare":
        lines += [
            whole,
            f'{state} = {call}\nprint(torch.equal({state}["weight"].cpu(), {other}.weight.detach().cpu()))\n{other}.load_state_dict({state})'
            + p.one("", f'\nprint(({state}["weight"] - {other}.weight).abs().sum().item())'),
        ]
    elif kind == "update":
        lines += [whole, f"{state} = {other}.state_dict()\n{state}.update({call})\n{other}.load_state_dict({state})"]
    elif kind == "pop":
        lines += [
            saved,
            f'{state} = {call}\nlast = {state}.pop("loss")\n{other}.load_state_dict({state}["net"])'
            + p.one(
                "",
                "\nprint(last.item())",
                f"\nprint((last * {other}.weight).sum().item())",
                "\nprint(last.device.type)",
            ),
        ]
    elif kind == "rng":
        lines += [
            f'torch.save({{"net": {other}.state_dict(), "rng": torch.get_rng_state()}}, {path})',
            f'{state} = {call}\n{other}.load_state_dict({state}["net"])\ntorch.set_rng_state({state}["rng"])\nprint(torch.rand(1).item())',
        ]
    elif kind == "strict":
        lines += [whole, f"missing = {other}.load_state_dict({call}, strict=False)\nprint(missing.missing_keys)"]
    elif kind == "copy":
        lines += [
            whole,
            f'{state} = {call}\nwith torch.no_grad():\n    {other}.weight.copy_({state}["weight"])'
            + p.one("", f'\n    {other}.bias += {state}["bias"]', f'\n    {other}.bias.data = {state}["bias"]'),
        ]
    elif kind == "twice":
        lines += [
            whole,
            f"{other}.load_state_dict({call})\n{state} = {call}\n{net}_twin = {made}\n{net}_twin.load_state_dict({state})\nprint({net}_twin.weight.sum().item())",
        ]
    else:
        lines += [
            saved,
            f'{state} = {call}\nepoch, weights = {state}["epoch"], {state}["net"]\n{other}.load_state_dict(weights)\nprint(epoch, weights["weight"].shape)',
        ]
    p.run("\n".join(lines))
    p.run(
        f"print({other}.weight.device.type, {other}.weight.sum().item())\nprint({other}(torch.ones(2, 3).to({other}.weight.device)).sum().item())"
    )


@piece(5, rules="PF405")
def _checkpoint(p: Program) -> None:
    """Weights or more are saved and loaded again, into a placed or an unplaced network."""
    net = add_net(p, cuda=p.yes(0.7))
    path, other = p.name("path", "checkpoint", "best"), p.name("restored", "loaded", "teacher")
    p.run(f'{path} = "{path}.pt"')
    kind = p.one("weights", "weights", "dict", "whole", "tensor")
    where = p.one("", "", "", ', map_location="cpu"', ', map_location="cuda"', ", map_location=lambda s, l: s")
    made = p.on_gpu("nn.Linear(3, 3)") if p.yes(0.6) else "nn.Linear(3, 3)"
    load = f"torch.load({path}{where})"
    if kind == "weights":
        p.run(
            f"{seed_line(p)}\n{other} = {made}\ntorch.save({other}.state_dict(), {path})\n{other}.load_state_dict({load})"
        )
        result = f"{other}.weight"
    elif kind == "dict":
        state = p.name("state", "ckpt", "saved")
        p.run(
            f'{seed_line(p)}\n{other} = {made}\ntorch.save({{"net": {other}.state_dict(), "epoch": 3, "best": {other}.weight.detach().sum()}}, {path})\n{state} = {load}\n{other}.load_state_dict({state}["net"])'
        )
        if p.yes(0.4):
            p.run(f'print({state}["best"].item())')
        if p.yes(0.2):
            p.run(f'print(({state}["best"] * {other}.weight).sum().item())')
        result = f"{other}.weight"
    elif kind == "whole":
        whole = f"torch.load({path}{where}, weights_only=False)"
        p.run(
            f"{seed_line(p)}\n{other} = {made}\ntorch.save({other}, {path})\n{other} = {whole}"
            + p.one("", "", f"\n{other}.cuda()", f"\n{other} = {other}.cuda()")
        )
        result = f"{other}.weight"
    else:
        p.run(f"torch.save({p.on_gpu('torch.ones(2, 3)')}, {path})\n{other} = {load}" + p.one("", ".cuda()"))
        result = other
    p.run(f"print({result}.device.type, {result}.sum().item())")
    if kind != "tensor" and ".cuda" in made and where != ', map_location="cpu"':
        p.run(f"print({other}(torch.ones(2, 3).to({other}.weight.device)).sum().item())")
    _ = net
