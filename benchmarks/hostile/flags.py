"""Flags: some are about something else, some change, some guard what a method or a function is given."""

from __future__ import annotations

from typing import TYPE_CHECKING

from adversary_program import Guard, fill, indent
from hostile.piece import add_net, as_value, piece, printed, seed_line

if TYPE_CHECKING:
    from adversary_program import Program


@piece(6, shows="a flag that is about something else")
def _results_by_flag(p: Program) -> None:
    """A function (or method) that puts its results where a flag says, and computes on the GPU without asking."""
    flag, store = p.flag_name(), p.one("store", "device", "dev", "out_device", "target_device", "cpu_device", "where")
    if store == flag:
        store = "store"
    name = p.name("gather", "evaluate", "collect", "predict", "run_epoch", "extract", "validate")
    value, default = p.yes(), p.yes()
    kept = p.one("y.to(@store)", "y.to(@store)", "y.detach().to(@store)", "y.sum(0, keepdim=True).to(@store)")
    kept = kept.replace("@store", store)
    chosen = f"{store} = {p.choice(flag)}"
    if p.yes(0.3):
        chosen = fill(
            'if @flag:\n    @store = torch.device("cpu")\nelse:\n    @store = torch.device("cuda")',
            flag=flag,
            store=store,
        )
    total = p.yes(0.4)
    start = f"out = torch.zeros(2, 3).to({store})" if total else "out = []"
    add = f"out += {kept}" if total else f"out.append({kept})"
    text = fill(
        """
        def @name(@first, loader, @flag=@default):
            @chosen
            @start
            for x in loader:
                x = @moved
                y = @first(x)
                @add
            return @out
        """,
        name=name, first=p.one("model", "net", "m"), flag=flag, default=default, chosen=chosen, start=start,
        moved=p.on_gpu("x", here=False), add=add, out="out" if total else p.one("torch.cat(out)", "torch.stack(out).sum(0)"),
    ).replace("keepdim=True)", "keepdim=True)")  # fmt: skip
    if total:
        text = text.replace("y.sum(0, keepdim=True)", "y")
    p.elsewhere(text, name, ("engine", "evaluation", "utils", "inference"), share=0.25)
    net = add_net(p)
    call = "" if value == default and p.yes(0.7) else p.one(f", {flag}={value}", f", {value}")
    if p.yes(0.3):
        call = f", {flag}={as_value(p.flag(value))}"
    result = p.name("result", "scores", "features", "total")
    p.run(f"{result} = {name}({net}, [torch.randn(2, 3) for _ in range(2)]{call})")
    p.run(f"print({result}.device.type, {result}.sum().item())")


@piece(6, shows="a flag that is about something else")
def _attribute_by_flag(p: Program) -> None:
    """A class that keeps copies where a flag says, and its network on the GPU without asking."""
    flag, own = p.flag_name(), p.one("device", "store", "ema_device", "cpu_device", "dev")
    parameter = flag if p.yes() else p.flag_name()
    if own == flag:
        own = "store_device"
    value = p.yes()
    name = p.name("Trainer", "Agent", "Averager", "Solver", "Experiment")
    test = p.one(f"self.{flag}", f"self.{flag}", parameter)
    network = "self.net = " + p.on_gpu("nn.Linear(3, 1)", here=False)
    kept = p.one(
        "{k: v.detach().clone().to(@d) for k, v in self.net.state_dict().items()}",
        "[q.detach().clone().to(@d) for q in self.net.parameters()]",
        "torch.zeros(2, 3).to(@d)",
        "torch.zeros(2, 3, device=@d)",
        "copy.deepcopy(self.net).to(@d)",
    ).replace("@d", f"self.{own}")
    if "copy." in kept:
        p.imports.append("import copy")
    text = fill(
        """
        class @name:
            def __init__(self, @parameter=@default):
                self.@flag = @parameter
                self.@own = @choice
                @network
                self.kept = @kept

            def step(self, x):
                x = @moved
                return self.net(x).sum()
        """,
        name=name, parameter=parameter, default=value if p.yes(0.6) else not value, flag=flag, own=own, choice=p.choice(test),
        network=network, kept=kept, moved=p.on_gpu("x", here=False),
    )  # fmt: skip
    p.elsewhere(text, name, ("trainer", "agent", "solver"), share=0.25)
    thing = p.name("trainer", "agent", "solver", "experiment")
    p.run(seed_line(p))
    p.run(f"{thing} = {name}({parameter}={value})")
    p.run(f"print({thing}.step(torch.ones(2, 3)).item())")


@piece(6, shows="a flag that is about something else")
def _parked_by_flag(p: Program) -> None:
    """Things wait on the CPU under a flag, and are fetched under it again."""
    guard = p.flag()
    net = add_net(p)
    cache = p.name("cache", "chunks", "parts", "states", "pool")
    item = p.one("c", "part", "chunk", "s")
    p.run(f"{cache} = [{p.on_gpu('torch.randn(2, 3)')} for _ in range(3)]")
    if p.yes(0.7):
        p.run(p.guarded(guard, cache, f"[{item}.cpu() for {item} in {cache}]"))
    else:
        p.run(f"if {guard.test}:\n    for i in range(len({cache})):\n        {cache}[i] = {cache}[i].cpu()")
    moved = f"{item}.cuda()" if p.yes(0.7) else p.on_gpu(item)
    p.run(fill("for @item in @cache:\n    @guard\n    @shown", item=item, cache=cache, guard=p.guarded(guard, item, moved),
               shown=printed(p, f"{net}({item})")))  # fmt: skip


@piece(5, shows="a flag that is about something else")
def _module_parked_by_flag(p: Program) -> None:
    """A network goes to the CPU between its uses, if a flag says so; it comes back under the flag, or in any case."""
    guard = p.flag()
    net = add_net(p)
    x = p.name("x", "inputs", "data", "images")
    p.run(f"{x} = {p.on_gpu('torch.randn(2, 3)')}")
    p.run(f"if {guard.test}:\n    {net}.cpu()")
    back = p.one(f"{net}.cuda()", f"{net} = {net}.cuda()", f'{net}.to("cuda")')
    p.run(f"if {guard.test}:\n    {back}" if p.yes() else back)
    p.run(printed(p, f"{net}({x})"))


@piece(5, shows="a flag that changes")
def _changed_flag(p: Program) -> None:
    """A flag is bound anew between a guarded move and one that is not."""
    flag = p.name(*FLAGS_OF_CUDA)
    value = p.yes(0.7)
    net, x, t = p.name("net", "model"), p.name("x", "data"), p.name("t", "target", "labels")
    again = p.one(
        f"{flag} = {not value}",
        f"{flag} = not {flag}",
        f"for {flag} in ({not value},):\n    pass",
        f"{flag}, _ = {not value}, 0",
    )
    lines = [f"{flag} = {value}", seed_line(p), f"{net} = nn.Linear(3, 1)"]
    lines.append(f"if {flag}:\n    {net}.cuda()" if value else f"if not {flag}:\n    {net}.cuda()")
    rest = [again, f"{x} = {p.on_gpu('torch.ones(2, 3)')}", f"{t} = torch.ones(2, 1)"]
    if p.yes(0.7):
        p.chance.shuffle(rest)
    lines += rest
    lines.append(p.guarded(Guard(flag, not value), t, f"{t}.cuda()"))
    lines.append(f"print({net}({x}).sum().item(), {t}.is_cuda)")
    p.run("\n".join(lines))


FLAGS_OF_CUDA = ("use_cuda", "use_gpu", "cuda", "gpu", "on_gpu", "with_cuda", "flag")


@piece(9, shows="a flag in a module's forward")
def _guard_in_forward(p: Program) -> None:
    """A module that moves something of its own, or what it is given, under a flag it keeps."""
    flag = p.flag_name()
    attribute = p.one(flag, flag, f"_{flag}", f"{flag}_flag") if flag not in ("cuda", "cpu", "half") else f"{flag}_flag"
    value = p.yes(0.35)  # what lies on the GPU already needs no move
    kind = p.one("input", "buffer", "parameter", "state", "output", "plain", "made", "second")
    name = p.name("Net", "Noisy", "Block", "Model", "Policy", "Encoder")
    guard = Guard(f"self.{attribute}", value)
    extra, call = [], "x"
    if kind == "input":
        steps = [p.guarded(guard, "x", "x.cuda()"), "return self.l(x)"]
    elif kind == "second":
        call = "x, mask"
        steps = [p.guarded(guard, "mask", "mask.cuda()"), "return self.l(x) * mask"]
    elif kind == "output":
        steps = ["y = self.l(x)", p.guarded(guard, "y", "y.cuda()"), "return y + x"]
    elif kind == "buffer":
        extra = ['self.register_buffer("eps", torch.ones(3))']
        steps = [p.guarded(guard, "eps", "self.eps.cuda()", "self.eps"), "return self.l(x) + eps"]
    elif kind == "parameter":
        extra = ["self.w = nn.Parameter(torch.ones(3))"]
        steps = [p.guarded(guard, "w", "self.w.cuda()", "self.w"), "return self.l(x) * w"]
    elif kind == "plain":
        where = ".cuda()" if not value or p.yes(0.3) else ""
        extra = [f"self.scale = torch.ones(3){where}"]
        steps = [p.guarded(guard, "scale", "self.scale.cuda()", "self.scale"), "return self.l(x) * scale"]
    elif kind == "state":
        extra = ["self.h = None"]
        steps = [
            "h = self.l(x)", "if self.h is None:\n    self.h = h.detach()", "prev = self.h",
            p.guarded(guard, "prev", "prev.cuda()"), "return h + prev",
        ]  # fmt: skip
    else:
        start = p.one(
            "torch.zeros(2, 3)",
            "torch.ones(2, 3)",
            "torch.zeros_like(x)",
            "torch.zeros(2, 3, device=x.device)",
            "x.new_zeros(2, 3)",
        )
        value = value or "x" not in start
        guard = Guard(guard.test, value)
        steps = [f"noise = {start}", p.guarded(guard, "noise", "noise.cuda()"), "return self.l(x) + noise"]
    text = fill(
        """
        class @name(nn.Module):
            def __init__(self, n@parameter):
                super().__init__()
                self.@attribute = @given
                self.l = nn.Linear(n, n)
                @extra

            def forward(self, @call):
                @steps
        """,
        name=name, parameter=f", {flag}" + p.one("", f"={value}", f"={not value}"), attribute=attribute, given=flag,
        extra="\n".join(extra) or "self.n = n", call=call, steps="\n".join(steps),
    )  # fmt: skip
    p.elsewhere(text, name, ("models", "nets", "layers"), share=0.3)
    given = str(value) if p.yes(0.6) else as_value(p.flag(value, about_cuda=p.yes()))
    net, x = p.name("net", "model", "n", "policy"), p.name("x", "inputs", "obs")
    p.run(seed_line(p))
    p.run(p.one(f"{net} = {name}(3, {flag}={given}).cuda()", f"{net} = {name}(3, {flag}={given})\n{net}.cuda()",
                f"{net} = {p.on_gpu(f'{name}(3, {given})')}"))  # fmt: skip
    second = ", torch.ones(2, 3)" + ("" if value else ".cuda()") if kind == "second" else ""
    fed = "" if kind == "input" and value and p.yes() else ".cuda()"
    p.run(f"{x} = torch.randn(2, 3){fed}")
    p.run(printed(p, f"{net}({x}{second})"))
    if p.yes(0.3):
        p.run(f"print({net}({x}{second}).sum().item())")


@piece(6, shows="a flag in a helper")
def _guard_in_helper(p: Program) -> None:
    """A function that moves what it is given under a flag of its own; its callers hand in what lies anywhere."""
    flag = p.flag_name()
    name = p.name("prepare", "to_var", "get_noise", "wrap", "compute", "masked", "kl")
    default = p.yes()
    guard = Guard(flag, default)
    style = p.chance.randrange(5)
    if style == 0:
        lines = [f"if {flag}:\n    return x.cuda()", "return x"]
    elif style == 1:
        lines = [f"if not {flag}:\n    return x * 2", "x = x.cuda()", "return x * 2"]
    elif style == 2:
        lines = [p.guarded(guard, "x", "x.cuda()"), "return x + 1"]
    elif style == 3:
        lines = [
            p.guarded(guard, "x", "x.cuda()", p.one("", "x.cpu()")),
            "y = torch.ones(2, 3)",
            "return x * y.to(x.device)",
        ]
    else:
        lines = ["n = torch.ones_like(x)", p.guarded(guard, "n", "n.cuda()"), "return n * 2"]
    p.elsewhere(f"def {name}(x, {flag}={default}):\n" + indent("\n".join(lines)), name, ("helpers", "common", "utils"))
    for _ in range(p.chance.randrange(1, 4)):
        lies = p.yes(0.6)
        value = default if p.yes() else p.yes()
        y = p.name("y", "z", "v", "noise")
        call = "" if value == default else p.one(f", {flag}={value}", f", {value}")
        given = p.on_gpu("torch.randn(2, 3)") if lies else "torch.randn(2, 3)"
        p.run(f"{seed_line(p)}\n{y} = {name}({given}{call})\nprint({y}.device.type, {y}.sum().item())")


@piece(3, rules="PF403")
def _guard_in_body(p: Program) -> None:
    """The ordinary guard: network and data under one flag, in every form."""
    guard = p.flag(True if p.yes(0.75) else None, about_cuda=True)
    net, x = p.name("net", "model"), p.name("x", "data")
    p.run(f"{seed_line(p)}\n{net} = nn.Linear(3, 3)\n{x} = torch.randn(2, 3)")
    if p.yes(0.8):
        p.run(p.guarded(guard, net, f"{net}.cuda()"))
        p.run(p.guarded(guard, x, f"{x}.cuda()"))
    else:
        p.run(f"if {guard.test}:\n    {net}.cuda()\n    {x} = {x}.cuda()")
    p.run(printed(p, f"{net}({x})"))
    if p.yes(0.3):
        y = p.name("y", "target")
        p.run(f"{y} = torch.ones(2, 3)")
        p.run(p.guarded(guard, y, f"{y}.cuda()"))
        p.run(f"print(F.mse_loss({net}({x}), {y}).item())")
