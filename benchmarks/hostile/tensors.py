"""Tensors: forgotten ones, discarded moves, those that must lie on the CPU, and checkpoints."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hostile.piece import add_net, piece, seed_line

if TYPE_CHECKING:
    from adversary_program import Program


@piece(4, faulty=True, shows="a move as a statement", rules="PF303")
def _move_as_a_statement(p: Program) -> None:
    """A tensor's move whose result is dropped, in odd statements."""
    device = p.device()
    x, net = p.name("x", "data", "batch"), p.name("net", "model")
    y = p.name("y", "labels")
    statement = p.one(
        f"{x}.to({device}),", f"{x}.to({device})", f"({x}.to({device}))", f"({x}.to({device}),)", f"[{x}.to({device})]", f"_ = {x}.to({device})",
        f"{x}.to({device}), {y}.to({device})", f"{x}.to({device}); {y}.to({device})", f"{x}.cuda(),", f"{x}.cuda()", f"{x}.cuda(), {y}.cuda()",
        f"{x}.to({device}) if {x} is not None else None", f"{x} is None or {x}.to({device})", f"{x}.to({device}).float()", f"{x}.to({device}).requires_grad_()",
    )  # fmt: skip
    p.run(
        f"{seed_line(p)}\n{net} = nn.Linear(3, 2).to({device})\n{x} = torch.randn(4, 3)\n{y} = torch.ones(4, 2)\n{statement}"
    )
    if p.yes(0.5):  # it does no harm
        p.run(f"{x} = {x}.to({device})")
    p.run(f"print({net}({x}).sum().item())\nprint({y}.sum().item())")


@piece(4, faulty=True, rules="PF302 PF112 PF307 PF303")
def _forgotten_tensor(p: Program) -> None:
    """A tensor, a network or a criterion's weights of which the move was forgotten."""
    device = p.device()
    net, x = p.name("net", "model"), p.name("x", "inputs", "z")
    kind = p.one("tensor", "module", "weights", "weights", "statement", "helper")
    p.run(seed_line(p))
    if kind == "tensor":
        p.run(
            f"{net} = nn.Linear(3, 3).to({device})\n{x} = {p.one('torch.randn(2, 3)', 'torch.ones(2, 3)', 'torch.zeros(2, 3).requires_grad_()')}\nprint({net}({x}).sum().item())"
        )
    elif kind == "module":
        p.run(f"{net} = nn.Linear(3, 3)\n{x} = torch.randn(2, 3).to({device})\nprint({net}({x}).sum().item())")
    elif kind == "weights":
        loss = p.name("criterion", "loss_fn")
        weights = p.one("torch.tensor([1.0, 2.0, 3.0])", "torch.ones(3)", "torch.FloatTensor([1, 2, 3])")
        p.run(
            f"{net} = nn.Linear(3, 3).to({device})\n{loss} = nn.{p.one('CrossEntropyLoss', 'BCEWithLogitsLoss', 'MultiLabelSoftMarginLoss')}(weight={weights})"
        )
        target = "torch.tensor([0, 2])" if "CrossEntropy" in p.body[-1][-1] else "torch.ones(2, 3)"
        p.run(f"print({loss}({net}(torch.randn(2, 3).to({device})), {target}.to({device})).item())")
    elif kind == "helper":
        name = p.name("make_noise", "sample_z", "get_inputs")
        p.define(f"def {name}(n):\n    return torch.randn(n, 3)")
        p.run(f"{net} = nn.Linear(3, 3).to({device})\nprint({net}({name}(2)).sum().item())")
    else:
        p.run(
            f"{net} = nn.Linear(3, 3).to({device})\n{x} = torch.randn(2, 3)\n{x}.to({device})\nprint({net}({x}).sum().item())"
        )


@piece(4, shows="a flag that is about something else")
def _metrics(p: Program) -> None:
    """Metrics and buffers that are kept on the CPU on purpose, beside a network on the GPU."""
    net, total = add_net(p), p.name("total", "confusion", "running", "correct")
    flag = p.flag() if p.yes(0.5) else None
    p.run(f"{total} = torch.zeros(3)")
    if flag is not None:
        p.run(p.guarded(flag, total, f"{total}.cuda()"))
    x = p.on_gpu("torch.randn(2, 3)")
    add = f"{net}({x}).detach().sum(0)"
    if flag is None:
        back = p.one(".cpu()", '.to("cpu")', f".to({total}.device)")
    elif flag.value:
        back = p.one("", f".to({total}.device)")
    else:
        back = p.one(".cpu()", f".to({total}.device)")
    p.run(f"for _ in range(2):\n    {total} = {total} + {add}{back}\nprint({total}.device.type, {total}.sum().item())")
