"""What must lie on the CPU: what numpy reads, and the lengths of sequences."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hostile.piece import piece, seed_line

if TYPE_CHECKING:
    from adversary_program import Program


@piece(3, faulty=True, rules="PF309 PF310")
def _numpy_and_lengths(p: Program) -> None:
    """What must lie on the CPU and does not: numpy's, and the lengths of sequences."""
    device = p.device()
    net, x = p.name("net", "model"), p.name("x", "inputs")
    p.run(f"{seed_line(p)}\n{net} = nn.Linear(3, 3).to({device})\n{x} = torch.randn(2, 3).to({device})")
    if p.yes():
        p.imports.append("import numpy as np")
        y = p.name("y", "out", "pred")
        p.run(
            f"{y} = {net}({x}).detach()\nprint({p.one(f'{y}.numpy().sum()', f'np.asarray({y}).sum()', f'np.array({y}).sum()', f'{y}[0].numpy().sum()')})"
        )
    else:
        p.imports.append("from torch.nn.utils.rnn import pack_padded_sequence")
        lengths = p.name("lengths", "lens")
        p.run(
            f"{lengths} = torch.tensor([3, 2]).to({device})\nprint(pack_padded_sequence({net}({x}), {lengths}, batch_first=True).data.sum().item())"
        )


@piece(5, faulty=True, rules="PF310")
def _read_by_numpy(p: Program) -> None:
    """Outputs that numpy reads: one by one, in lists, through functions and methods, shared and written to."""
    p.imports.append("import numpy as np")
    device, net, y = p.device(), p.name("net", "model"), p.name("y", "out", "pred", "scores")
    lies = p.yes(0.8)
    where = f".to({device})" if lies else ""
    lines = [
        seed_line(p),
        f"{net} = nn.Linear(3, 3){where}",
        f"{y} = {net}(torch.randn(2, 3){where})" + p.one(".detach()", ".detach()", ".data"),
    ]
    before = (
        "",
        f"print({y}.device.type)",
        f"{y} = {y}.argmax(1)",
        f"{y} = {y} * 2",
        f"first = {y}[0]",
        f"{y} = torch.softmax({y}, dim=1)",
        f"{y} = {y}.squeeze()",
        f"keep = {y}",
    )
    lines.append(p.chance.choice(before))
    kind = p.one(
        "method",
        "asarray",
        "array",
        "list",
        "function",
        "shared",
        "own",
        "float",
        "container",
        "plain",
        "partly",
        "astype",
        "cpu_too",
    )
    if kind == "method":
        lines.append(f"print({y}.numpy().sum())")
    elif kind == "asarray":
        lines.append(f"print(np.{p.one('asarray', 'array')}({y}{p.one('', ', dtype=np.float64')}).sum())")
    elif kind == "array":
        lines.append(f"print(np.{p.one('sum', 'mean', 'abs')}({y}.numpy()).sum())")
    elif kind == "list":
        lines.append(f"alls = []\nfor _ in range(2):\n    alls.append({y}.numpy())\nprint(np.concatenate(alls).sum())")
    elif kind == "function":
        name = p.name("to_array", "as_numpy")
        p.elsewhere(f"def {name}(t):\n    return t.detach().numpy()", name, ("arrays",), share=0.3)
        lines.append(f"print({name}({y}).sum())")
        if p.yes():
            lines.append(f"print({name}(torch.ones(2)).sum())")
    elif kind == "shared":
        lines.append(f"host = {y}.numpy()\nhost += 1\nprint(host.sum(), {y}.sum().item())")
    elif kind == "own":
        name = p.name("Table", "Frame")
        p.define(
            f"class {name}:\n    def __init__(self, t):\n        self.t = t\n\n    def numpy(self):\n        return self.t.cpu().numpy()"
        )
        lines.append(f"print({name}({y}).numpy().sum())")
    elif kind == "float":
        lines.append(f"print(float({y}.sum()), {y}.tolist()[0])")
    elif kind == "container":
        lines.append(f"res = {{'y': {y}}}\nprint(res['y'].numpy().sum())")
    elif kind == "plain":
        lines.append(f"a, b = {y}.numpy(), {y}\nprint(a.sum(), b.sum().item())")
    elif kind == "partly":
        lines.append(f"if {p.flag().test}:\n    {y} = {y}.cpu()\nprint({y}.numpy().sum())")
    elif kind == "astype":
        lines.append(f"print({y}.numpy().astype(np.float64).sum(), {y}.size(0))")
    else:
        lines.append(f"print({y}.cpu().numpy().sum())\nprint({y}[0].numpy().sum())")
    p.run("\n".join(line for line in lines if line))


@piece(5, faulty=True, rules="PF309")
def _packed_lengths(p: Program) -> None:
    """Lengths of sequences: tensors of either place, lists, arguments, made from masks, sorted, and used on the device as well."""
    name, alias = p.chance.choice((
        ("pack_padded_sequence", "from torch.nn.utils.rnn import pack_padded_sequence"), ("pack", "from torch.nn.utils.rnn import pack_padded_sequence as pack"),
        ("nn.utils.rnn.pack_padded_sequence", ""), ("rnn.pack_padded_sequence", "import torch.nn.utils.rnn as rnn"),
    ))  # fmt: skip
    if alias:
        p.imports.append(alias)
    device, x, lengths = p.device(), p.name("x", "padded", "tokens"), p.name("lengths", "lens", "sizes")
    made = p.one(f"torch.tensor([3, 2]).to({device})", f"torch.tensor([3, 2]).to({device})", f"torch.tensor([3, 2], device={device})", "torch.tensor([3, 2]).cuda()",
                 "torch.tensor([3, 2])", "[3, 2]", f"({x} != 0).sum(1)", f"torch.LongTensor([3, 2]).to({device})")  # fmt: skip
    lines = [seed_line(p), f"{x} = torch.ones(2, 3).to({device})", f"{lengths} = {made}"]
    listed = made.startswith("[")
    if not listed:
        lines.append(p.one("", "", f"mask = torch.arange(3).to({device})[None] < {lengths}.to({device})[:, None]\nprint(mask.sum().item())", f"{lengths}, order = {lengths}.sort(descending=True)",
                           f"print({lengths}.max().item())", f"{lengths} = {lengths}.clamp(min=1)", f"total = {lengths}.sum()\nprint(total.item())"))  # fmt: skip
    kind = p.one("body", "body", "forward", "function", "both")
    given = p.one(
        lengths,
        lengths,
        f"{lengths}.cpu()" if not listed else lengths,
        f"lengths={lengths}" if kind == "body" else lengths,
        f"{lengths}.tolist()" if not listed else lengths,
    )
    batch = "batch_first=True"
    if kind == "body":
        lines.append(f"print({name}({x}, {given}, {batch}).data.sum().item())")
    elif kind == "function":
        helper = p.name("packed", "encode")
        p.elsewhere(
            f"{alias}\n\n\ndef {helper}(t, n):\n    return {name}(t, n, {batch}).data"
            if alias
            else f"def {helper}(t, n):\n    return {name}(t, n, {batch}).data",
            helper,
            ("sequences",),
            share=0.3,
        )
        lines.append(f"print({helper}({x}, {lengths}).sum().item())")
        if p.yes():
            lines.append(f"print({helper}(torch.ones(2, 3), [3, 1]).sum().item())")
    else:
        cls = p.name("Encoder", "Reader")
        p.define(
            f"class {cls}(nn.Module):\n    def __init__(self):\n        super().__init__()\n        self.rnn = nn.GRU(1, 2, batch_first=True)\n\n    def forward(self, x, n):\n        packed = {name}(x.unsqueeze(2), n, {batch})\n        return self.rnn(packed)[1]"
        )
        net = p.name("encoder", "net")
        lines.append(f"{net} = {cls}().to({device})\nprint({net}({x}, {lengths}).sum().item())")
        if kind == "both":
            lines.append(f"print({net}({x}, [3, 2]).sum().item())")
    if not listed and p.yes(0.3):
        lines.append(
            p.one(
                f"print({lengths}.device.type)",
                f"print((torch.ones(2).to({device}) * {lengths}.to({device})).sum().item())",
            )
        )
    p.run("\n".join(line for line in lines if line))


@piece(2, rules="PF314")
def _unfinished_copy(p: Program) -> None:
    """A copy to the CPU in the background is read at once; the program uses the number of its values alone."""
    count, x, y = p.name("count", "sizes"), p.name("x", "inputs"), p.name("y", "out", "host")
    read = p.one(f"{y}.tolist()", f"{y}.numpy()", f"list({y} > 0)")
    p.define(f'def {count}({x}):\n    {y} = {x}.to("cpu", non_blocking=True)\n    return len({read}) + 0.5')
    p.run(f"print({count}(torch.ones(3).to({p.device()})))")
