"""What modules make while they run: tensors beside their input, states, masks, positions."""

from __future__ import annotations

from typing import TYPE_CHECKING

from adversary_program import fill, indent
from hostile.piece import piece, seed_line

if TYPE_CHECKING:
    from adversary_program import Program


@piece(5, faulty=True, rules="PF304")
def _made_beside_the_input(p: Program) -> None:
    """A tensor that forward, or a function that it calls, makes: met always, on some ways, or kept, returned and read on the CPU."""
    name, device = p.name("Net", "Masked", "Posed", "Block"), p.device()
    made = p.one("torch.arange(3)", "torch.zeros(x.size(0), 3)", "torch.ones(3)", "torch.tensor([1.0, 2.0, 3.0])", "torch.randn(2, 3)", "torch.zeros(x.shape)",
                 "torch.full((2, 3), 0.5)", "torch.from_numpy(np.ones((2, 3), dtype=np.float32))", "torch.linspace(0, 1, 3)", "torch.rand(3)", "torch.zeros(2, 3).fill_(2)",
                 "torch.empty(2, 3).fill_(1)", "torch.ones(2, 3) * 2", "torch.tril(torch.ones(3, 3))[0]", "torch.arange(3).float() / 3", "torch.LongTensor([0, 1, 2])")  # fmt: skip
    if "np." in made:
        p.imports.append("import numpy as np")
    use = p.one("x + t", "x + t", "t * x", "torch.cat([x, x * 0 + t])", "x.masked_fill(t.expand_as(x) > 1, 0.0)", "torch.where(x > 0, x, t + 0.0)", "torch.stack([x, t.expand_as(x).float()]).sum(0)",
                "x - self.bias_of(t)", "self.mix(x, t)", "x[:, t.long().flatten()[:3] % 3]", "x * t.mean()", "x + t.sum().item()", "x + float(t.numpy().sum())", "x.add(t)", "x.index_select(1, t.long().flatten()[:3] % 3)")  # fmt: skip
    lines = [f"t = {made}"]
    between = ("", "", "t = t + 1", "if x.size(0) > 50:\n    return self.l(x)", "if x.size(0) < 1:\n    t = t.to(x.device)", "t = t.to(x.device)", "t = t.to(x.dtype)", "t = t.unsqueeze(0)",
               "self.last = t", "u = t.numpy().sum()", "t[0] = 1", "for _ in range(2):\n    t = t * 1", "t = t.cuda() if x.is_cuda else t", "if self.training:\n    t = t * 1", "t = t.type_as(x)")  # fmt: skip
    lines.append(p.chance.choice(between))
    way = p.one("forward", "forward", "forward", "method", "function", "both")
    helper = made_by = ""
    if way == "method":
        helper = f"def positions(self, x):\n    t = {made}\n    return t"
        lines[0] = "t = self.positions(x)"
    elif way in ("function", "both"):
        made_by = p.name("positions", "make_mask", "offsets")
        p.elsewhere(
            ("import numpy as np\n\n\n" if "np." in made else "") + f"def {made_by}(x):\n    t = {made}\n    return t",
            made_by,
            ("masks", "position"),
            share=0.3,
        )
        lines[0] = f"t = {made_by}(x)"
    lines.append(f"return self.l({use})" + p.one("", "", " + t.sum().to(x.device)"))
    p.define(fill(
        """
        class @name(nn.Module):
            def __init__(self):
                super().__init__()
                self.l = nn.Linear(3, 3)

            def bias_of(self, t):
                return t * 0.5

            def mix(self, a, b):
                return a * b

            @helper
            def forward(self, x):
                @lines
        """, name=name, helper=helper + "\n" if helper else "", lines="\n".join(line for line in lines if line)))  # fmt: skip
    net = p.name("net", "model")
    on = p.one(f".to({device})", f".to({device})", ".cuda()", f".to({device})")
    p.run(f"{seed_line(p)}\n{net} = {name}(){on}\nprint({net}(torch.randn(2, 3).to({device})).sum().item())")
    if way == "both":
        p.run(f"print({made_by}(torch.ones(2, 3)).{p.one('sum().item()', 'numpy().sum()', 'device.type')})")
    if p.yes(0.3):
        p.run(
            p.one(
                f"print({name}()(torch.ones(2, 3)).sum().item())",
                f"{net}.cpu()\nprint({net}(torch.ones(2, 3)).sum().item())",
                f"print(hasattr({net}, 'last') and {net}.last.device.type)",
            )
        )


@piece(4, faulty=True, rules="PF308")
def _first_state(p: Program) -> None:
    """The first state of a recurrent layer: made in forward, by a helper with other callers, kept between calls, given from outside."""
    kind = p.one("LSTM", "LSTM", "GRU", "RNN")
    name, device, both = p.name("Tagger", "Decoder", "Seq"), p.device(), kind == "LSTM"
    zero = p.one(
        "torch.zeros(1, n, 4)",
        "torch.randn(1, n, 4)",
        "torch.ones(1, n, 4)",
        "torch.zeros((1, n, 4), dtype=torch.float32)",
        "torch.zeros(1, n, 4).float()",
        "torch.nn.init.ones_(torch.empty(1, n, 4))",
    )
    form = p.one("forward", "forward", "helper", "helper", "kept", "argument", "default", "outside", "moved")
    state = f"({zero}, {p.one(zero, 'torch.zeros(1, n, 4)')})" if both else zero
    given = {
        "forward": "state",
        "helper": "self.start(n)",
        "kept": "self.state",
        "argument": "state",
        "default": "state",
        "outside": "state",
        "moved": "state",
    }[form]
    extra, head, call, lines = "", "x", "x_", ["n = x.size(0)"]
    if form == "forward":
        lines.append(f"h, c = {state}\nstate = (h, c)" if both and p.yes() else f"state = {state}")
    elif form == "helper":
        extra = f"def start(self, n):\n    return {state}"
    elif form == "kept":
        lines.append(f"if self.state is None:\n    self.state = {state}")
    elif form == "moved":
        lines.append(f"state = {state}")
        lines.append(
            "state = tuple(s.to(x.device) for s in state)"
            if both
            else p.one("state = state.to(x.device)", "state = state.cuda() if x.is_cuda else state")
        )
    elif form == "default":
        head = "x, state=None"
        lines.append(f"if state is None:\n    state = {state}")
    else:
        head, call = "x, state", "x_, " + state.replace("n,", "2,")
        if form == "argument":
            extra = f"def start(self, n):\n    return {state}"
            call = "x_, net_.start(2)"
    lines.append(f"y, last = self.rnn(x, {given})")
    lines.append(p.one("", "", "self.state = None" if form == "kept" else ""))
    lines.append("return self.l(y)")
    p.define(fill(
        """
        class @name(nn.Module):
            def __init__(self):
                super().__init__()
                self.state = None
                self.rnn = nn.@kind(3, 4, batch_first=True)
                self.l = nn.Linear(4, 1)

            @extra
            def forward(self, @head):
                @lines
        """, name=name, kind=kind, extra=extra + "\n" if extra else "", head=head, lines="\n".join(line for line in lines if line)))  # fmt: skip
    net, x = p.name("net", "model", "tagger"), p.name("x", "tokens")
    p.run(f"{seed_line(p)}\n{net} = {name}().to({device})\n{x} = torch.randn(2, 5, 3).to({device})")
    p.run(f"print({net}({call.replace('x_', x, 1).replace('net_', net)}).sum().item())")
    if extra and p.yes(0.4):
        one = f"{net}.start(1)" + ("[0]" if both else "")
        p.run(p.one(f"print({one}.device.type)", f"print({one}.numpy().shape)", f"print({one}.sum().item())"))
    if p.yes(0.2):
        p.run(f"print({net}.cpu()({call.replace('x_', x + '.cpu()', 1).replace('net_', net)}).sum().item())")


@piece(4, faulty=True, rules="PF304")
def _made_in_forward(p: Program) -> None:
    """A tensor that forward makes beside its input."""
    name = p.name("Net", "Posed", "Masked")
    made = p.one(
        "torch.arange(3)",
        "torch.zeros(x.size(0), 3)",
        "torch.ones(3)",
        "torch.tensor([1.0, 2.0, 3.0])",
        "torch.randn(2, 3)",
        "torch.eye(3)",
    )
    use = p.one(
        "x + t",
        "torch.cat([x, x * 0 + t])",
        "t * x",
        "x.masked_fill(t.expand_as(x) > 1, 0.0)",
        "t[:3] + x" if "zeros(x" not in made and "randn" not in made and "eye" not in made else "t + x",
    )
    if "eye" in made:
        use = p.one("x @ t", "x.matmul(t)")
    split = p.yes(0.3)
    lines = [f"t = {made}", "if x.size(0) > 50:\n    return self.l(x)" if split else "", f"return self.l({use})"]
    p.define(fill("class @name(nn.Module):\n    def __init__(self):\n        super().__init__()\n        self.l = nn.Linear(3, 3)\n\n    def forward(self, x):\n        @lines",
                  name=name, lines="\n".join(line for line in lines if line)))  # fmt: skip
    net, device = p.name("net", "model"), p.device()
    p.run(f"{seed_line(p)}\n{net} = {name}().to({device})\nprint({net}(torch.randn(2, 3).to({device})).sum().item())")


@piece(5, faulty=True, shows="half of a state", rules="PF308")
def _hidden_state(p: Program) -> None:
    """A recurrent layer whose first state is made on the CPU: both halves, in every spelling, or one half of it."""
    kind = p.one("LSTMCell", "LSTMCell", "LSTM", "LSTM", "GRU", "GRUCell")
    name = p.name("Sequence", "Tagger", "Recurrent")
    cell, both = kind.endswith("Cell"), kind.startswith("LSTM")
    shape = "x.size(0), 5" if cell else "1, x.size(0), 5"
    zero = p.one(
        f"torch.zeros({shape})",
        f"torch.zeros({shape}, dtype=torch.float)",
        f"torch.randn({shape})",
        f"Variable(torch.zeros({shape}))",
    )
    if "Variable" in zero:
        p.imports.append("from torch.autograd import Variable")
    second = p.one(zero, f"torch.zeros({shape})", "torch.zeros_like(h)", "h.clone()")
    state = [f"h = {zero}"] + ([f"c = {second}"] if both else [])
    where = p.one("forward", "forward", "helper", "tuple")
    given = "(h, c)" if both else "h"
    if where == "tuple":
        state = [f"state = ({zero}, {zero})" if both else f"state = {zero}"]
        given = "state"
    helper = ""
    if where == "helper":
        helper = "def init_hidden(self, x):\n" + indent("\n".join([*state, f"return {given}"])) + "\n"
        state = ["state = self.init_hidden(x)"]
        given = "state"
    if cell:
        target = "h, c" if both and given != "state" else "state" if given == "state" else "h"
        first = {"h, c": "h", "h": "h", "state": "state[0]" if both else "state"}[target]
        steps = [
            *state,
            "out = []",
            f"for t in x.split(1, dim=1):\n    {target} = self.rnn(t.reshape(-1, 1), {given})\n    out += [self.l({first})]",
            "return torch.cat(out, dim=1)",
        ]
    else:
        steps = [*state, f"y, _ = self.rnn(x.unsqueeze(2), {given})", "return self.l(y).squeeze(2)"]
    text = fill(
        """
        class @name(nn.Module):
            def __init__(self):
                super().__init__()
                self.rnn = nn.@kind(1, 5@first)
                self.l = nn.Linear(5, 1)

            @helper
            def forward(self, x):
                @steps
        """, name=name, kind=kind, first="" if cell else ", batch_first=True", helper=helper, steps="\n".join(steps))  # fmt: skip
    p.elsewhere(text, name, ("models", "recurrent"), share=0.15)
    net, x = p.name("seq", "net", "model"), p.name("x", "inputs")
    device = p.device()
    p.run(f"{seed_line(p)}\n{net} = {name}().to({device})\n{x} = torch.randn(4, 6).to({device})")
    if p.yes():
        opt = p.name("opt", "optimizer")
        p.run(
            f"{opt} = torch.optim.SGD({net}.parameters(), lr=0.1)\nfor i in range(2):\n    {opt}.zero_grad()\n    {net}({x}).pow(2).mean().backward()\n    {opt}.step()"
        )
    p.run(f"print({net}({x}).sum().item())")
