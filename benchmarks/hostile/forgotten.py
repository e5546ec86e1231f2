"""Networks, tensors and criteria of which the move was forgotten, or left out on purpose."""

from __future__ import annotations

from typing import TYPE_CHECKING

from adversary_program import fill
from hostile.piece import piece, seed_line

if TYPE_CHECKING:
    from adversary_program import Program


@piece(5, faulty=True, rules="PF112")
def _forgotten_network(p: Program) -> None:
    """A second network, a copy, a new head or a network from a function, beside one that is placed."""
    device, net, other = (
        p.device(),
        p.name("net", "model", "encoder"),
        p.name("target", "decoder", "ema", "teacher", "head"),
    )
    kind = p.one(
        "second",
        "second",
        "copy",
        "copy",
        "head",
        "function",
        "own",
        "list",
        "used_before",
        "moves_its_input",
        "on_purpose",
    )
    x, lines = p.name("x", "batch", "obs"), [seed_line(p)]
    first = f"{net} = nn.Linear(3, 3)"
    placed = p.one(f"{net}.to({device})", f"{net} = {net}.to({device})")
    feed = f"{x} = torch.randn(2, 3).to({device})"
    if kind == "second":
        made = p.one(
            "nn.Linear(3, 2)",
            "nn.Sequential(nn.Linear(3, 3), nn.Tanh())",
            "nn.LayerNorm(3)",
            "nn.Embedding(4, 3)",
            "nn.ReLU()",
            "nn.Dropout(0.0)",
        )
        given = f"{net}({x})" if "Embedding" not in made else f"torch.tensor([0, 1]).to({device})"
        lines += [first, placed, f"{other} = {made}", feed]
        lines += [
            p.one(
                "",
                f"print(len(list({other}.parameters())))",
                f"copy_of = {other}",
                f"{other}.eval()",
                f"parts = [{other}]",
            )
        ]
        lines += [f"print({other}({given}).sum().item())"]
    elif kind == "copy":
        p.imports.append("import copy")
        made = p.one(f"copy.deepcopy({net})", f"copy.deepcopy({net}).eval()", "nn.Linear(3, 3)")
        update = p.one(
            f"for a, b in zip({other}.parameters(), {net}.parameters()):\n    a.data.mul_(0.9).add_(b.data, alpha=0.1)",
            f"for a, b in zip({other}.parameters(), {net}.parameters()):\n    a.data.copy_(b.data)",
            f"for a, b in zip({net}.parameters(), {other}.parameters()):\n    b.data = 0.9 * b.data + 0.1 * a.data",
            f"{other}.load_state_dict({net}.state_dict())",
            f"with torch.no_grad():\n    for k, v in {other}.state_dict().items():\n        v.copy_({net}.state_dict()[k])",
        )
        lines += [first, f"{other} = {made}", placed, feed, f"print({net}({x}).sum().item())", update]
        lines.append(
            p.one(
                f"print({other}({x}).sum().item())",
                f"print({other}.weight.sum().item())",
                f"print({other}({x}.cpu()).sum().item())",
            )
        )
    elif kind == "head":
        name = p.name("Net", "Classifier")
        p.define(
            f"class {name}(nn.Module):\n    def __init__(self):\n        super().__init__()\n        self.body = nn.Linear(3, 3)\n        self.fc = nn.Linear(3, 2)\n\n    def forward(self, x):\n        return self.fc(self.body(x))"
        )
        lines += [
            f"{net} = {name}()",
            placed,
            f"{net}.fc = {p.one('nn.Linear(3, 4)', 'nn.Sequential(nn.Linear(3, 4))', 'nn.Identity()')}",
            feed,
            f"print({net}({x}).sum().item())",
        ]
    elif kind == "function":
        name = p.name("make_decoder", "build_head")
        p.elsewhere(
            f"def {name}(n):\n    layer = nn.Linear(3, n)\n    return layer", name, ("parts", "decoders"), share=0.3
        )
        lines += [first, placed, f"{other} = {name}(2)", feed, f"print({other}({net}({x})).sum().item())"]
        if p.yes(0.4):
            lines.append(f"print({name}(3)(torch.ones(1, 3)).sum().item())")
    elif kind == "own":
        name = p.name("Head", "Decoder")
        p.elsewhere(
            f"class {name}(nn.Module):\n    def __init__(self):\n        super().__init__()\n        self.w = nn.Parameter(torch.ones(3))\n\n    def forward(self, x):\n        return x * self.w",
            name,
            ("heads",),
            share=0.3,
        )
        lines += [first, placed, f"{other} = {name}()", feed, f"print({other}({net}({x})).sum().item())"]
    elif kind == "list":
        lines += [
            first,
            placed,
            f"{other} = [nn.Linear(3, 3) for _ in range(2)]",
            feed,
            f"print(sum(q({x}) for q in {other}).sum().item())",
        ]
    elif kind == "used_before":
        lines += [first, f"{other} = nn.Linear(3, 2)", f"print({other}(torch.ones(1, 3)).sum().item())", p.one("", f"w = {other}.weight.detach().numpy().sum()\nprint(w)"),
                  placed, feed, f"print({other}({net}({x})).sum().item())"]  # fmt: skip
    elif kind == "moves_its_input":
        name = p.name("Host", "CpuHead", "Mover")
        how = p.one(
            "self.l(x.cpu())",
            "self.l.to(x.device)(x)",
            "self.l(x.to(self.l.weight.device))",
            "self.l(x.to(next(self.parameters()).device))",
        )
        p.elsewhere(
            f"class {name}(nn.Module):\n    def __init__(self):\n        super().__init__()\n        self.l = nn.Linear(3, 3)\n\n    def forward(self, x):\n        return {how}",
            name,
            ("heads",),
            share=0.4,
        )
        lines += [
            first,
            placed,
            f"{other} = {name}()",
            feed,
            f"y = {other}({net}({x}))\nprint(y.device.type, y.sum().item())",
        ]
    else:
        lines += [first, placed, f"{other} = nn.Linear(3, 2)", feed, f"y = {net}({x}).{p.one('cpu()', 'detach().cpu()', 'to(torch.device(chr(99) + chr(112) + chr(117)))')}",
                  f"print({other}(y).sum().item())", p.one("", f"print({other}(torch.ones(1, 3)).sum().item())")]  # fmt: skip
    p.run("\n".join(line for line in lines if line))


@piece(5, faulty=True, rules="PF307")
def _forgotten_weights(p: Program) -> None:
    """The class weights of a criterion: made in every way, read elsewhere, of criteria that outputs of both places reach."""
    device, net, loss = p.device(), p.name("net", "model"), p.name("criterion", "loss_fn", "ce")
    weights = p.name("weights", "w", "class_weights", "counts")
    made = p.one("torch.tensor([1.0, 2.0, 3.0])", "torch.ones(3)", "torch.FloatTensor([1, 2, 3])", "torch.from_numpy(np.ones(3, dtype=np.float32))",
                 "1.0 / torch.tensor([1.0, 2.0, 4.0])", "torch.tensor(sizes, dtype=torch.float)", "torch.Tensor([1, 2, 3])", "torch.linspace(0.1, 1, 3)")  # fmt: skip
    if "np." in made:
        p.imports.append("import numpy as np")
    kind = p.one(
        "CrossEntropyLoss", "CrossEntropyLoss", "NLLLoss", "BCEWithLogitsLoss", "MultiLabelSoftMarginLoss", "BCELoss"
    )
    keyword = "pos_weight" if kind == "BCEWithLogitsLoss" and p.yes() else "weight"
    target = "torch.tensor([0, 2])" if kind in ("CrossEntropyLoss", "NLLLoss") else "torch.ones(2, 3)"
    given = p.one(weights, weights, made, f"{weights} * 2", f"{weights} / {weights}.sum()")
    way = p.one("body", "body", "body", "function", "dict", "both", "class", "before")
    lines = [seed_line(p), f"{net} = nn.Linear(3, 3).to({device})", "sizes = [3, 2, 1]", f"{weights} = {made}"]
    lines.append(
        p.one(
            "",
            "",
            f"print({weights}.sum().item())",
            f"print({weights}.numpy().sum())",
            f"{weights}[0] = 0.5",
            f"{weights} = {weights} + 0",
        )
    )
    make = f"nn.{kind}({keyword}={given})"
    out = f"{net}(torch.randn(2, 3).to({device}))"
    if kind == "BCELoss":
        out = f"torch.sigmoid({out})"
    use = f"{loss}({out}, {target}.to({device}))"
    if way == "function":
        name = p.name("make_criterion", "get_loss")
        p.define(f"def {name}({weights}):\n    return nn.{kind}({keyword}={weights})")
        lines.append(f"{loss} = {name}({weights})")
    elif way == "dict":
        lines.append(f"losses_of = {{'main': {make}}}\n{loss} = losses_of['main']")
    elif way == "class":
        name = p.name("Objective", "Criterion")
        base = p.one("nn.Module", "object")
        p.define(fill("class @name(@base):\n    def __init__(self, w):\n        super().__init__()\n        self.loss = nn.@kind(@keyword=w)\n\n    def __call__(self, a, b):\n        return self.loss(a, b)" if base == "object" else
                      "class @name(@base):\n    def __init__(self, w):\n        super().__init__()\n        self.loss = nn.@kind(@keyword=w)\n\n    def forward(self, a, b):\n        return self.loss(a, b)",
                      name=name, base=base, kind=kind, keyword=keyword))  # fmt: skip
        lines.append(f"{loss} = {name}({weights})")
    else:
        lines.append(f"{loss} = {make}")
    if way == "both":
        lines.append(f"print({loss}(torch.full((2, 3), 0.5), {target}).item())")
    if way == "before":
        lines.append(f"{net}.cpu()\nprint({use.replace(f'.to({device})', '')}.item())\n{net}.to({device})")
    if p.yes(0.25):  # nothing is forgotten
        lines.append(
            p.one(
                f"{loss}.to({device})",
                f"{loss} = {loss}.to({device})",
                f"{loss}.weight = {loss}.weight.to({device})" if keyword == "weight" and way != "class" else "pass",
            )
        )
    lines.append(f"print({use}.item())")
    if p.yes(0.3):
        lines.append(
            p.one(
                f"print({weights}.device.type)",
                f"print({weights}.numpy().sum())",
                f"print((torch.ones(3) * {weights}).sum().item())",
            )
        )
    p.run("\n".join(line for line in lines if line))


@piece(6, faulty=True, rules="PF302")
def _forgotten_operand(p: Program) -> None:
    """A tensor that a network or an operand on the device is to meet, and that is used on the CPU as well, shared, kept or handed on."""
    device, net, x = p.device(), p.name("net", "model"), p.name("x", "z", "noise", "labels_")
    made = p.one("torch.randn(2, 3)", "torch.ones(2, 3)", "torch.zeros(2, 3)", "torch.rand(2, 3)", "torch.full((2, 3), 0.5)", "torch.from_numpy(array)",
                 "torch.tensor([[1.0, 2.0, 3.0]])", "torch.ones(2, 3, requires_grad=True)", "torch.arange(6.0).view(2, 3)", "torch.empty(2, 3).fill_(1)")  # fmt: skip
    lines = [seed_line(p), f"{net} = nn.Linear(3, 3).to({device})"]
    if "array" in made:
        p.imports.append("import numpy as np")
        lines.append("array = np.ones((2, 3), dtype=np.float32)")
    lines.append(f"{x} = {made}")
    before = (
        "", "", f"print({x}.sum().item())", f"print({x}.numpy().sum())" if "grad" not in made else "", f"kept = {x}", f"view = {x}[0]", f"{x} += 1" if "grad" not in made else "",
        f"rows = [r.tolist() for r in {x}]\nprint(len(rows))", f"print({x}.device.type)", f"store = {{'x': {x}}}", "array[0, 0] = 7" if "array" in made else "",
        f"{x} = {x} * 2", f"{x}[:, 0] = 3.0" if "grad" not in made else "", f"other = torch.ones(2, 3) * {x}\nprint(other.sum().item())", f"torch.save({x}, 'x.pt')",
        f"indices = [0, 1]\n{x} = {x}[indices[:1]]", f"if {x}.is_cuda:\n    print('gpu')",
    )  # fmt: skip
    lines += [p.chance.choice(before) for _ in range(p.chance.randrange(3))]
    anchor = p.name("anchor", "mean", "bias_")
    use = p.one("net", "net", "net", "operand", "cat", "loss", "function", "index")
    if use == "net":
        lines.append(f"out = {net}({x})\nprint(out.sum().item())")
    elif use == "operand":
        lines.append(
            f"{anchor} = torch.ones(3).to({device})\nout = {p.one(f'{x} + {anchor}', f'{anchor} * {x}', f'torch.max({x}, {anchor})', f'{x} @ {anchor}')}\nprint(out.sum().item())"
        )
    elif use == "cat":
        lines.append(
            f"{anchor} = {net}(torch.ones(1, 3).to({device}))\nout = torch.cat([{x}, {anchor}])\nprint(out.sum().item())"
        )
    elif use == "loss":
        lines.append(f"out = F.mse_loss({net}(torch.ones(*{x}.shape).to({device})), {x})\nprint(out.item())")
    elif use == "index":
        lines.append(f"{anchor} = torch.tensor([0]).to({device})\nout = {x}[{anchor}]\nprint(out.sum().item())")
    else:
        name = p.name("score", "apply_net", "step_of")
        p.define(f"def {name}(m, v):\n    return m(v).sum()")
        lines.append(f"out = {name}({net}, {x})\nprint(out.item())")
    after = ("", "", f"print({x}.device.type)", f"print({x}.sum().item())", "print(kept.sum().item())" if any("kept =" in line for line in lines) else "",
             f"out.sum().backward()\nprint({x}.grad.sum().item())" if "grad=True" in made and use == "net" else "", f"print((torch.zeros(3) + {x}).sum().item())",
             "array[0, 0] = 9" if "array" in made else "", f"del {x}")  # fmt: skip
    lines.append(p.chance.choice(after))
    p.run("\n".join(line for line in lines if line))


@piece(4, faulty=True, rules="PF303")
def _dropped_moves(p: Program) -> None:
    """Moves whose result is dropped, of tensors, networks, batches of a class of their own, items, arguments and attributes."""
    device, net, x = p.device(), p.name("net", "model"), p.name("x", "data", "inputs")
    move = p.one(f".to({device})", f".to({device})", ".cuda()", f".to({device}, non_blocking=True)")
    kind = p.one(
        "plain",
        "plain",
        "alias",
        "loop",
        "argument",
        "item",
        "own",
        "network",
        "cpu",
        "half",
        "branch",
        "attribute",
        "twice",
    )
    lines = [seed_line(p), f"{net} = nn.Linear(3, 3).to({device})"]
    if kind == "plain":
        lines += [f"{x} = torch.randn(2, 3)", f"{x}{move}", f"print({net}({x}).sum().item())"]
    elif kind == "alias":
        lines += [
            f"{x} = torch.randn(2, 3)",
            f"y = {x}",
            f"{x}{move}",
            f"print({net}({x}).sum().item())",
            p.one("print(y.device.type)", "print(y.numpy().sum())", "y += 1\nprint(y.sum().item())"),
        ]
    elif kind == "loop":
        lines += [
            f"for {x} in [torch.ones(2, 3), torch.zeros(2, 3)]:\n    {x}{move}\n    print({net}({x}).sum().item())"
        ]
    elif kind == "argument":
        name = p.name("feed", "evaluate_on", "scores_of")
        p.define(f"def {name}(m, v):\n    v{move}\n    return m(v)")
        lines += [f"print({name}({net}, torch.ones(2, 3){p.one('', move)}).sum().item())"]
    elif kind == "item":
        lines += [f"{x} = {{'a': torch.ones(2, 3), 'b': 1}}", f"{x}['a']{move}", f"print({net}({x}['a']).sum().item())"]
    elif kind == "own":
        name = p.name("Bag", "Sample")
        p.define(
            f"class {name}:\n    def __init__(self, v):\n        self.v = v\n\n    def to(self, device, non_blocking=False):\n        self.v = self.v.to(device)\n        return self\n\n    def cuda(self):\n        return self.to('cuda')"
        )
        lines += [f"{x} = {name}(torch.ones(2, 3))", f"{x}{move}", f"print({net}({x}.v).sum().item())"]
    elif kind == "network":
        lines += [f"{x} = nn.Linear(3, 3)", f"{x}{move}", f"print({x}({net}(torch.ones(2, 3){move})).sum().item())"]
    elif kind == "cpu":
        p.imports.append("import numpy as np")
        lines += [
            f"{x} = {net}(torch.ones(2, 3){move}).detach()",
            f"{x}{p.one('.cpu()', '.to(chr(99) + chr(112) + chr(117))', '.cpu()')}",
            f"print({p.one(f'{x}.numpy().sum()', f'np.sum({x}.numpy())', f'{x}.sum().item()')})",
        ]
        if p.yes(0.4):
            lines.append(f"print({net}({x}).sum().item())")
    elif kind == "half":
        lines += [
            f"{x} = torch.ones(2, 3, dtype=torch.double)",
            f"{x}.to({device}, torch.float)",
            f"print({net}({x}.float()).sum().item())",
        ]
    elif kind == "branch":
        lines += [
            f"{x} = torch.ones(2, 3)",
            f"if {p.flag().test}:\n    {x}{move}\nelse:\n    {x} = {x}{move}",
            f"print({net}({x}).sum().item())",
        ]
    elif kind == "attribute":
        p.imports.append("from types import SimpleNamespace")
        lines += [f"{x} = SimpleNamespace(v=torch.ones(2, 3))", f"{x}.v{move}", f"print({net}({x}.v).sum().item())"]
    else:
        lines += [f"{x} = torch.randn(2, 3)", f"{x}{move}", f"{x} = {x}{move}", f"print({net}({x}).sum().item())"]
    p.run("\n".join(lines))
