"""Classes with methods named like torch's, and modules that register, make or forget something."""

from __future__ import annotations

from typing import TYPE_CHECKING

from adversary_program import fill, indent
from hostile.piece import add_net, piece, seed_line

if TYPE_CHECKING:
    from adversary_program import Program


@piece(8, shows="a class with a cuda of its own")
def _own_cuda(p: Program) -> None:
    """A class with `cuda`, with or without `to`, that is no module; used as one."""
    name = p.name("Embedder", "Wrapper", "Batch", "Sampler", "Task", "Pool")
    methods = ["def cuda(self):\n    self.model.cuda()" + p.one("", "\n    return self", "\n    return self")]
    chained = "return" in methods[0]
    if p.yes(0.2):
        methods.append("def to(self, *args, **kwargs):\n    self.model.to(*args, **kwargs)\n    return self")
    if p.yes(0.3):
        methods.append("def cpu(self):\n    self.model.cpu()\n    return self")
    methods += [
        "def train(self, mode=True):\n    self.model.train(mode)\n    return self",
        "def eval(self):\n    self.model.eval()\n    return self",
    ]
    methods += [
        "def parameters(self):\n    return self.model.parameters()",
        "def __call__(self, x):\n    return self.model(x)",
    ]
    if p.yes(0.3):
        methods.append("def state_dict(self):\n    return self.model.state_dict()")
    kept = [methods[0], *(m for m in methods[1:] if "__call__" in m or p.yes(0.8))]

    def has(word: str) -> bool:
        return any(f"def {word}(" in m for m in kept)

    text = f"class {name}:\n    def __init__(self):\n        self.model = nn.Linear(3, 3)\n\n" + indent(
        "\n\n".join(kept)
    )
    p.elsewhere(text, name, ("embedder", "wrappers", "parts"), share=0.55)
    asks = [a for a in ("train", "eval") if has(a)]
    thing = p.name("embedder", "model", "net", "sampler", "task")
    ask = p.chance.choice(asks) if asks else ""
    p.run(seed_line(p))
    way = p.chance.randrange(7)
    x = p.on_gpu("torch.randn(2, 3)", here=False)
    asked = f"{thing}.{ask}()" if ask else "pass"
    if way == 0:
        p.run(f"{thing} = {name}()\n{thing}.cuda()\n{asked}")
    elif way == 1 and chained:
        p.run(f"{thing} = {name}().cuda()\n{asked}")
    elif way == 6:
        p.imports.append("import contextlib")
        given = p.one(
            f"contextlib.nullcontext({name}())", f"contextlib.ExitStack() as stack, contextlib.nullcontext({name}())"
        )
        p.run(f"with {given} as {thing}:\n    {thing}.cuda()\n    {asked}")
    elif way == 2:
        p.imports.append("import copy")
        p.run(f"{thing} = copy.deepcopy({name}())\n{asked}\n{thing}.cuda()")
    elif way == 3:
        user = p.name("Experiment", "Job", "Learner")
        deep = p.one("copy.deepcopy(embedder)", "embedder", "embedder if embedder else None")
        p.imports.append("import copy")
        use = p.one(f"self.embedder.{ask}()" if ask else "pass", "pass")
        user_text = fill(
            """
            class @user:
                def __init__(self, embedder):
                    self._embedder = embedder

                def run(self, x):
                    embedder = self._embedder
                    self.embedder = @deep
                    self.embedder.cuda()
                    @use
                    self.head = nn.Linear(3, 2).cuda()
                    return self.head(self.embedder(x.cuda()))
            """, user=user, deep=deep, use=use)  # fmt: skip
        p.elsewhere(user_text, user, ("job", "experiment"), share=0.2)
        p.run(f"print({user}({name}()).run(torch.randn(2, 3)).sum().item())")
        return
    elif way == 4:
        place = p.name("place", "prepare_model", "ready")
        p.define(
            f"def {place}(m):\n    {f'm.{ask}()' if ask else 'pass'}\n    {'m = m.cuda()' if chained and p.yes() else 'm.cuda()'}\n    return m"
        )
        p.run(f"{thing} = {place}({name}())")
    else:
        p.run(f"{thing} = {name}()\nfor part in [{thing}]:\n    part.cuda()\n{asked}")
    if has("parameters") and p.yes(0.4):
        opt = p.name("opt", "optimizer")
        p.run(f"{opt} = torch.optim.SGD({thing}.parameters(), lr=0.1)\n{thing}({x}).sum().backward()\n{opt}.step()")
    p.run(f"print({thing}({x}).sum().item())")


@piece(3, shows="a class with a cuda of its own")
def _own_batch(p: Program) -> None:
    """A batch of a class of its own, whose `cuda` works in place or returns another one."""
    name = p.name("Sample", "GraphBatch", "Record")
    inplace = p.yes()
    cuda = (
        "def cuda(self, non_blocking=False):\n    self.x = self.x.cuda()\n    return self"
        if inplace
        else "def cuda(self, non_blocking=False):\n    return type(self)(self.x.cuda())"
    )
    to = "\n\ndef to(self, device, non_blocking=False):\n    return type(self)(self.x.to(device))" if p.yes(0.4) else ""
    text = f"class {name}:\n    def __init__(self, x):\n        self.x = x\n\n" + indent(cuda + to)
    p.elsewhere(text, name, ("samples", "batches"), share=0.4)
    net, batch = add_net(p), p.one("batch", "sample", "item")
    move = f"{batch} = {batch}.cuda()" if not inplace or p.yes(0.6) else f"{batch}.cuda()"
    p.run(
        f"for {batch} in [{name}(torch.randn(2, 3)) for _ in range(2)]:\n    {move}\n    print({net}({batch}.x).sum().item())"
    )


@piece(5, shows="a parameter moved in __init__")
def _parameter_in_init(p: Program) -> None:
    """A module that moves what it registers while it is made."""
    name = p.name("Scale", "Prior", "Bias", "Attention")
    move = p.one('.to("cuda")', ".cuda()", '.to(torch.device("cuda"))', ".cuda(non_blocking=True)")
    made = p.one("torch.rand(3)", "torch.ones(3)", "torch.full((3,), 0.5)")
    weight = p.one(
        f"nn.Parameter({made}){move}", f"nn.Parameter({made}){move}", f"nn.Parameter({made}{move})", f"nn.Parameter({made}, requires_grad=True){move}",
        f"torch.nn.Parameter({made}){move}", f"{made}{move}", f"nn.Parameter(data={made}){move}",
    )  # fmt: skip
    text = fill(
        """
        class @name(nn.Module):
            def __init__(self):
                super().__init__()
                self.weight = @weight
                self.l = nn.Linear(3, 3)

            def forward(self, x):
                return self.l(x) * self.weight
        """, name=name, weight=weight)  # fmt: skip
    p.elsewhere(text, name, ("layers", "scales"), share=0.3)
    net, opt = p.name("net", "model"), p.name("opt", "optimizer")
    if p.yes(0.5):
        p.device()
    p.run(f"{seed_line(p)}\n{net} = {p.on_gpu(name + '()')}\nprint(len(list({net}.parameters())) + 0.5)")
    p.run(
        f"{opt} = torch.optim.SGD({net}.parameters(), lr=0.1)\n{net}({p.on_gpu('torch.ones(2, 3)')}).sum().backward()\n{opt}.step()"
    )
    p.run(f"print({net}.weight.sum().item(), {net}({p.on_gpu('torch.ones(2, 3)')}).sum().item())")


@piece(3, faulty=True)
def _buffers_and_lists(p: Program) -> None:
    """Tensors and layers that a module keeps in plain attributes, lists and dicts."""
    name, device = p.name("Heads", "Ensemble", "Mixture"), p.device()
    kind = p.one("list", "dict", "tensor", "tuple")
    made = {
        "list": "self.parts = [nn.Linear(3, 3) for _ in range(2)]",
        "tuple": "self.parts = (nn.Linear(3, 3), nn.Linear(3, 3))",
        "dict": 'self.parts = {"a": nn.Linear(3, 3)}',
        "tensor": "self.parts = torch.ones(3)",
    }[kind]
    use = {
        "list": "sum(q(x) for q in self.parts)",
        "tuple": "self.parts[0](x)",
        "dict": 'self.parts["a"](x)',
        "tensor": "x * self.parts",
    }[kind]
    p.define(fill("class @name(nn.Module):\n    def __init__(self):\n        super().__init__()\n        @made\n        self.l = nn.Linear(3, 3)\n\n    def forward(self, x):\n        return self.l(@use)",
                  name=name, made=made, use=use))  # fmt: skip
    net = p.name("net", "model")
    p.run(f"{seed_line(p)}\n{net} = {name}().to({device})")
    if kind in ("list", "tuple") and p.yes(0.6):
        p.run(f"for part in {net}.parts:\n    {p.one('part.cuda()', f'part.to({device})')}")
    if kind == "tensor" and p.yes(0.5):
        p.run(f"{net}.parts = {net}.parts.cuda()")
    p.run(f"print({net}(torch.randn(2, 3).to({device})).sum().item())")
