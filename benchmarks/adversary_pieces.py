"""The pieces of hostile programs. Each prints what it computes, runs clean where it can, and shares flags and devices with the others.

A piece says which rules' safe fixes it is for, and is general: names, values, spellings, guards and places are drawn.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from adversary_program import Guard, Program, block, fill, indent

if TYPE_CHECKING:
    from collections.abc import Callable


class Piece(NamedTuple):
    """A kind of piece: its name, what writes it, how often it is drawn, and whether it must stand alone."""

    name: str
    write: Callable[[Program], None]
    weight: int
    alone: bool
    faulty: bool  # it fails on a GPU, so that there is something to repair; at most one of these in a program


PIECES: dict[str, Piece] = {}


def piece(
    weight: int = 4, *, alone: bool = False, faulty: bool = False
) -> Callable[[Callable[[Program], None]], Callable[[Program], None]]:
    """Register a function as a piece under its own name."""

    def registered(write: Callable[[Program], None]) -> Callable[[Program], None]:
        name = write.__name__.strip("_")
        PIECES[name] = Piece(name, write, weight, alone, faulty)
        return write

    return registered


def _seed(p: Program) -> str:
    return f"torch.manual_seed({p.chance.randrange(100)})"


def _layer(p: Program, here: str = "nn") -> str:
    return p.one(
        f"{here}.Linear(3, 3)", f"{here}.Linear(3, 3)", f"{here}.Sequential({here}.Linear(3, 3), {here}.ReLU())"
    )


def _net(p: Program, *, cuda: bool = True) -> str:
    """A network in the body, on the GPU or not."""
    net = p.name("net", "model", "encoder", "critic", "student")
    made = _layer(p)
    p.run(_seed(p))
    if not cuda:
        p.run(f"{net} = {made}")
    elif p.yes(0.7):
        p.run(f"{net} = {p.cuda(made)}")
    else:
        p.run(f"{net} = {made}\n" + p.one(f"{net}.cuda()", f"{net} = {net}.cuda()", p.cuda(net)))
    return net


def _shown(p: Program, what: str) -> str:
    return p.one(
        f"print({what}.sum().item())", f"print({what}.detach().cpu().numpy().sum())", f'print(f"{{{what}.mean().item():.4f}}")',
        f"print({what}.detach().sum())",
    )  # fmt: skip


# Flags that are about something else.


@piece(6)
def _results_by_flag(p: Program) -> None:
    """A function (or method) that puts its results where a flag says, and computes on the GPU without asking."""
    flag, store = p.flag_name(), p.one("store", "device", "dev", "out_device", "target_device", "cpu_device", "where")
    if store == flag:
        store = "store"
    name = p.name("gather", "evaluate", "collect", "predict", "run_epoch", "extract", "validate")
    value, default = p.yes(), p.yes()
    kept = p.one(
        "y.to(@store)", "y.to(@store)", "y.detach().to(@store, non_blocking=True)", "y.sum(0, keepdim=True).to(@store)"
    )
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
        moved=p.cuda("x", here=False), add=add, out="out" if total else p.one("torch.cat(out)", "torch.stack(out).sum(0)"),
    ).replace("keepdim=True)", "keepdim=True)")  # fmt: skip
    if total:
        text = text.replace("y.sum(0, keepdim=True)", "y")
    p.elsewhere(text, name, ("engine", "evaluation", "utils", "inference"), share=0.25)
    net = _net(p)
    call = "" if value == default and p.yes(0.7) else p.one(f", {flag}={value}", f", {value}")
    if p.yes(0.3):
        call = f", {flag}={_as_value(p.flag(value))}"
    result = p.name("result", "scores", "features", "total")
    p.run(f"{result} = {name}({net}, [torch.randn(2, 3) for _ in range(2)]{call})")
    p.run(f"print({result}.device.type, {result}.sum().item())")


def _as_value(guard: Guard) -> str:
    return f"bool({guard.test})"


@piece(6)
def _attribute_by_flag(p: Program) -> None:
    """A class that keeps copies where a flag says, and its network on the GPU without asking."""
    flag, own = p.flag_name(), p.one("device", "store", "ema_device", "cpu_device", "dev")
    parameter = flag if p.yes() else p.flag_name()
    if own == flag:
        own = "store_device"
    value = p.yes()
    name = p.name("Trainer", "Agent", "Averager", "Solver", "Experiment")
    test = p.one(f"self.{flag}", f"self.{flag}", parameter)
    network = "self.net = " + p.cuda("nn.Linear(3, 1)", here=False)
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
        network=network, kept=kept, moved=p.cuda("x", here=False),
    )  # fmt: skip
    p.elsewhere(text, name, ("trainer", "agent", "solver"), share=0.25)
    thing = p.name("trainer", "agent", "solver", "experiment")
    p.run(_seed(p))
    p.run(f"{thing} = {name}({parameter}={value})")
    p.run(f"print({thing}.step(torch.ones(2, 3)).item())")


@piece(6)
def _parked_by_flag(p: Program) -> None:
    """Things wait on the CPU under a flag, and are fetched under it again."""
    guard = p.flag()
    net = _net(p)
    cache = p.name("cache", "chunks", "parts", "states", "pool")
    item = p.one("c", "part", "chunk", "s")
    p.run(f"{cache} = [{p.cuda('torch.randn(2, 3)')} for _ in range(3)]")
    if p.yes(0.7):
        p.run(p.guarded(guard, cache, f"[{item}.cpu() for {item} in {cache}]"))
    else:
        p.run(f"if {guard.test}:\n    for i in range(len({cache})):\n        {cache}[i] = {cache}[i].cpu()")
    moved = f"{item}.cuda()" if p.yes(0.7) else p.cuda(item)
    p.run(fill("for @item in @cache:\n    @guard\n    @shown", item=item, cache=cache, guard=p.guarded(guard, item, moved),
               shown=_shown(p, f"{net}({item})")))  # fmt: skip


@piece(5)
def _module_parked_by_flag(p: Program) -> None:
    """A network goes to the CPU between its uses, if a flag says so; it comes back under the flag, or in any case."""
    guard = p.flag()
    net = _net(p)
    x = p.name("x", "inputs", "data", "images")
    p.run(f"{x} = {p.cuda('torch.randn(2, 3)')}")
    p.run(f"if {guard.test}:\n    {net}.cpu()")
    back = p.one(f"{net}.cuda()", f"{net} = {net}.cuda()", f'{net}.to("cuda")')
    p.run(f"if {guard.test}:\n    {back}" if p.yes() else back)
    p.run(_shown(p, f"{net}({x})"))


@piece(5)
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
    lines = [f"{flag} = {value}", _seed(p), f"{net} = nn.Linear(3, 1)"]
    lines.append(f"if {flag}:\n    {net}.cuda()" if value else f"if not {flag}:\n    {net}.cuda()")
    rest = [again, f"{x} = {p.cuda('torch.ones(2, 3)')}", f"{t} = torch.ones(2, 1)"]
    if p.yes(0.7):
        p.chance.shuffle(rest)
    lines += rest
    lines.append(p.guarded(Guard(flag, not value), t, f"{t}.cuda()"))
    lines.append(f"print({net}({x}).sum().item(), {t}.is_cuda)")
    p.run("\n".join(lines))


FLAGS_OF_CUDA = ("use_cuda", "use_gpu", "cuda", "gpu", "on_gpu", "with_cuda", "flag")


# Guards in methods.


@piece(9)
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
    given = str(value) if p.yes(0.6) else _as_value(p.flag(value, about_cuda=p.yes()))
    net, x = p.name("net", "model", "n", "policy"), p.name("x", "inputs", "obs")
    p.run(_seed(p))
    p.run(p.one(f"{net} = {name}(3, {flag}={given}).cuda()", f"{net} = {name}(3, {flag}={given})\n{net}.cuda()",
                f"{net} = {p.cuda(f'{name}(3, {given})')}"))  # fmt: skip
    second = ", torch.ones(2, 3)" + ("" if value else ".cuda()") if kind == "second" else ""
    fed = "" if kind == "input" and value and p.yes() else ".cuda()"
    p.run(f"{x} = torch.randn(2, 3){fed}")
    p.run(_shown(p, f"{net}({x}{second})"))
    if p.yes(0.3):
        p.run(f"print({net}({x}{second}).sum().item())")


@piece(6)
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
        given = p.cuda("torch.randn(2, 3)") if lies else "torch.randn(2, 3)"
        p.run(f"{_seed(p)}\n{y} = {name}({given}{call})\nprint({y}.device.type, {y}.sum().item())")


@piece(3)
def _guard_in_body(p: Program) -> None:
    """The ordinary guard: network and data under one flag, in every form."""
    guard = p.flag(True if p.yes(0.75) else None, about_cuda=True)
    net, x = p.name("net", "model"), p.name("x", "data")
    p.run(f"{_seed(p)}\n{net} = nn.Linear(3, 3)\n{x} = torch.randn(2, 3)")
    if p.yes(0.8):
        p.run(p.guarded(guard, net, f"{net}.cuda()"))
        p.run(p.guarded(guard, x, f"{x}.cuda()"))
    else:
        p.run(f"if {guard.test}:\n    {net}.cuda()\n    {x} = {x}.cuda()")
    p.run(_shown(p, f"{net}({x})"))
    if p.yes(0.3):
        y = p.name("y", "target")
        p.run(f"{y} = torch.ones(2, 3)")
        p.run(p.guarded(guard, y, f"{y}.cuda()"))
        p.run(f"print(F.mse_loss({net}({x}), {y}).item())")


# Names.


@piece(6)
def _bound_further_down(p: Program) -> None:
    """A function that binds the name of the device itself, below (or beside) a move that says CUDA."""
    device = p.device() if p.yes(0.8) else p.one("device", "dev", "DEVICE")
    name = p.name("evaluate", "sample", "check", "report", "scores")
    how = p.one(
        "for @d in range(2):\n    print(@d)",
        "with torch.no_grad() as @d:\n    pass",
        "try:\n    int('x')\nexcept ValueError as @d:\n    print('no number')",
        "@d = 3\nprint(@d)",
        "import os as @d",
        "def @d():\n    return 1",
        "class @d:\n    pass",
        "@d, other = 1, 2",
        "@d: int = 1",
        "if (@d := 3) > 2:\n    print(@d)",
        "match n:\n    case @d:\n        print(@d)",
        "for i, (@d, b) in enumerate([(1, 2)]):\n    print(i)",
        "if n > 100:\n    @d = None",
        "print([@d for @d in range(2)])",
        "@d = scale.device",
        "del_me = lambda @d: @d",
        "global @d\nprint(@d)",
        "from math import pi as @d",
        "for @d in ():\n    pass\nelse:\n    print('none')",
        "[*@d] = (1, 2)",
        "def inner():\n    nonlocal_ = 1\n    return @d\nif n > 100:\n    inner()",
    ).replace("@d", device)  # fmt: skip
    made = p.one(
        "torch.ones(n).cuda()",
        'torch.ones(n, device="cuda")',
        'torch.ones(n).to("cuda")',
        'torch.zeros(n, device="cuda") + 1',
    )
    above = how.startswith("global") or p.yes(0.25)
    lines = [
        *([how] if above and "scale" not in how else []),
        f"scale = {made}",
        *([] if above and "scale" not in how else [how]),
    ]
    lines.append("return scale * 2")
    if how.startswith("global") and not p.text_of_device:
        lines = [f"scale = {made}", "return scale"]
    p.define(f"def {name}(n):\n" + indent("\n".join(lines)))
    p.run(f"print({name}(2).sum().item())")


@piece(5)
def _shadowed_device(p: Program) -> None:
    """A function where `device` is something else: None, a parameter, the CPU, a number, a dict."""
    device = p.device() if p.yes(0.7) else "device"
    name = p.name("train", "fit", "run_model", "warm_up")
    local = p.one("None", '"cpu"', 'torch.device("cpu")', "0", '{"gpu": "cuda"}', '"cuda"', "[]")
    kind = p.chance.randrange(3)
    lines = [f"{device} = {local}"] if kind == 0 else []
    model = p.one("nn.Linear(3, 3)", "nn.DataParallel(nn.Linear(3, 3))", "nn.Sequential(nn.Linear(3, 3))")
    p.several |= "Parallel" in model
    if local in ("None", '"cpu"', 'torch.device("cpu")', '"cuda"') and p.yes(0.6):
        placed = f".to({device})"
        gpu = local == '"cuda"'
    else:
        placed, gpu = p.one(".cuda()", '.to("cuda")'), True
    new = p.one("x", "image", "inputs")
    moved = p.one(placed, placed, ".cuda()") if gpu else placed
    targets = p.one(moved, moved, "")
    criterion = p.one("nn.MSELoss()", f"nn.MSELoss(){placed}", f"nn.CrossEntropyLoss(){placed}")
    lines += [
        f"model = {model}{placed}",
        f"criterion = {criterion}",
        "opt = torch.optim.SGD(model.parameters(), lr=0.1)",
        fill(
            """
            for x, y in loader:
                @new = x@moved
                y = y@targets
                loss = criterion(model(@new), y)
                opt.zero_grad()
                loss.backward()
                opt.step()
            """,
            new=new,
            moved=moved,
            targets=targets,
        ).replace("    y = y\n", ""),
        "return loss",
    ]
    head = f"def {name}(loader, {device}={local}):" if kind == 1 else f"def {name}(loader):"
    if kind == 2:
        lines = [line.replace(f".to({device})", ".cuda()") for line in lines]
    p.define(head + "\n" + indent("\n".join(lines)))
    p.run(f"{_seed(p)}\nprint({name}([(torch.randn(2, 3), torch.ones(2, 3)) for _ in range(2)]).item())")


# Devices as strings and values.


@piece(6)
def _string_wanted(p: Program) -> None:
    """A function that looks at the device it is given as a string."""
    name = p.name("build", "make_model", "create", "get_net", "load_net")
    parameter = p.one("device", "device", "dev", "where", "target", "map_to")
    look = p.one(
        'assert @d in ("cuda", "cpu"), @d',
        'if @d not in ["cuda", "cpu"]:\n    raise ValueError(@d)',
        'if @d == "cuda":\n    print("gpu")\nelse:\n    print("cpu")',
        'print(@d.upper())',
        'kind = {"cuda": 1, "cpu": 2}[@d]',
        'if "cuda" in @d:\n    torch.cuda.synchronize()',
        'kind = @d.split(":")[0]',
        'if @d.startswith("cuda"):\n    print("gpu")',
        'print("on " + @d)',
        "assert isinstance(@d, str)",
        'kind = getattr(torch, @d)',
        'import json\nprint(json.dumps({"where": @d}))',
        'import os\nprint(os.path.join("out", @d))',
        'match @d:\n    case "cuda":\n        print("gpu")\n    case _:\n        raise ValueError(@d)',
        'print(len(@d))',
        'print(sorted([@d, "b"]))',
        'if not @d:\n    raise ValueError(@d)',
        'if @d != "cpu":\n    print("gpu")',
    ).replace("@d", parameter)  # fmt: skip
    inner = p.one("", "self", "nested")
    body = f"{look}\nreturn nn.Linear(n, 1).to({parameter})"
    if inner == "nested":
        text = f'def check_{name}({parameter}):\n{indent(look)}\n\n\ndef {name}(n, {parameter}="cuda"):\n    check_{name}({parameter})\n    return nn.Linear(n, 1).to({parameter})'
    elif inner == "self":
        keep = look.replace(parameter, f"self.{parameter}") if "import" not in look else look
        text = fill(
            """
            class @name:
                def __init__(self, n, @parameter="cuda"):
                    self.@parameter = @parameter
                    self.net = nn.Linear(n, 1)

                def made(self):
                    @keep
                    return self.net.to(self.@parameter)
            """, name=name, parameter=parameter, keep=keep)  # fmt: skip
    else:
        text = f'def {name}(n, {parameter}="cuda"):\n{indent(body)}'
    p.elsewhere(text, name, ("factory", "zoo", "models"), share=0.35)
    if p.yes(0.75):
        p.device()
    net = p.name("net", "model")
    given = p.one(f'{parameter}="cuda"', '"cuda"', f'{parameter}="cuda"', "")
    made = f"{name}(3{', ' + given if given else ''})" + (".made()" if inner == "self" else "")
    p.run(f"{_seed(p)}\n{net} = {made}\nprint({net}({p.cuda('torch.ones(2, 3)')}).sum().item())")


@piece(4)
def _device_in_container(p: Program) -> None:
    """A device in a dict, a config, a tuple, an attribute or a name that tests it."""
    literal = p.one('"cuda"', 'torch.device("cuda")', '"cuda:0"', p.choice(p.flag(False, everywhere=True).test))
    holder = p.name("CFG", "defaults", "conf", "settings", "devices")
    kind = p.chance.randrange(5)
    if kind == 0:
        p.definitions.append(f'{holder} = {{"device": {literal}, "n": 3}}')
        say = f'{holder}["device"]'
    elif kind == 1:
        p.definitions.append(f"class {holder}:\n    device = {literal}\n    n = 3")
        say = f"{holder}.device"
    elif kind == 2:
        p.run(f"{holder} = ({literal}, 3)")
        say = f"{holder}[0]"
    elif kind == 3:
        p.run(f"{holder} = dict(device={literal})")
        say = f'{holder}.get("device", "cpu")'
    else:
        p.run(f"{holder} = [{literal}]")
        say = f"{holder}[-1]"
    net, x = p.name("net", "model"), p.name("x", "data")
    looks = p.one(
        "",
        f"print(str({say})[:4])",
        f'if str({say}).startswith("cuda"):\n    print("gpu")',
        f'if {say} != "cpu":\n    print("not cpu")',
    )
    p.run(
        f"{_seed(p)}\n{net} = nn.Linear(3, 3).to({say})\n{looks}\n{x} = {p.one('torch.ones(2, 3).to(' + say + ')', 'torch.ones(2, 3).cuda()', 'torch.ones(2, 3, device=' + say + ')')}"
    )
    p.run(_shown(p, f"{net}({x})"))


# Discarded moves.


@piece(4, faulty=True)
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
        f"{_seed(p)}\n{net} = nn.Linear(3, 2).to({device})\n{x} = torch.randn(4, 3)\n{y} = torch.ones(4, 2)\n{statement}"
    )
    if p.yes(0.5):  # it does no harm
        p.run(f"{x} = {x}.to({device})")
    p.run(f"print({net}({x}).sum().item())\nprint({y}.sum().item())")


# Functions with several callers.


@piece(5)
def _helper_of_both(p: Program) -> None:
    """A helper that makes a tensor beside what it is given: from the GPU by one caller, from the CPU by another."""
    device = p.device()
    name = p.name("my_loss", "one_hot", "positions", "weighted", "metric")
    made = p.one(
        "torch.arange(a.shape[1])",
        "torch.ones(a.shape[1])",
        "torch.zeros(3)",
        "torch.tensor([1.0, 2.0, 3.0])",
        "torch.eye(3)[0]",
    )
    use = p.one(
        "(a * w).sum()",
        "(a * torch.abs(w - b.reshape(-1, 1))).sum()",
        "(a + w).mean()",
        "torch.where(a > 0, a, w + 0.0).sum()",
    )
    p.define(f"def {name}(a, b):\n    w = {made}\n    return {use}")
    cpu = p.flag(p.yes(0.7))
    net = p.name("net", "model")
    p.run(f"{_seed(p)}\n{net} = nn.Linear(3, 3).to({device})")
    first = f"print({name}(torch.randn(4, 3), torch.zeros(4)).item())"
    second = f"print({name}({net}(torch.randn(4, 3).to({device})), torch.zeros(4).to({device})).item())"
    one = fill("if @test:\n    @first\nelse:\n    @second", test=cpu.test, first=first, second=second)
    if p.yes(0.4):
        selftest, train = p.name("selftest", "check_loss"), p.name("train_step", "training")
        p.define(f"def {selftest}():\n    {first}")
        p.define(f"def {train}(net):\n    {second.replace(net + '(', 'net(')}")
        one = fill(
            "if @test:\n    @first\nelse:\n    @second", test=cpu.test, first=f"{selftest}()", second=f"{train}({net})"
        )
    p.run(one)


@piece(5)
def _escapes(p: Program) -> None:
    """A function that moves (or makes) something in one case only, and returns it, in an object, a list, a dict or alone."""
    kind = p.one("module", "dict", "list", "self", "plain")
    name, owner = p.name("build", "make", "setup", "init"), p.name("Quantizer", "Holder", "Codebook")
    test = p.one("random", "fresh", "reset", "n > 2", "c is None", p.flag_name())
    parameter = "random" if " " in test else test
    wrapped = {"module": f"{owner}(c)", "dict": '{"c": c}', "list": "[c, c + 1]", "self": f"{owner}(c)", "plain": "c"}[
        kind
    ]
    extra = ""
    if kind in ("module", "self"):
        base, keep = ("nn.Module", p.one("nn.Parameter(c)", "c")) if kind == "module" else ("object", "c")
        extra = fill(
            """
            class @owner(@base):
                def __init__(self, c):
                    super().__init__()
                    self.c = @keep

                def @call(self, x):
                    return x @ self.c


            """, owner=owner, base=base, keep=keep, call="forward" if kind == "module" else "__call__")  # fmt: skip
        extra += "\n\n\n"
    made = p.one("torch.rand(4, 3)", "torch.ones(4, 3)", "torch.rand(c.size())")
    move = p.one("c = c.cuda()", 'c = c.to("cuda")', f"c = {made}.cuda()")
    if "is None" in test:
        test = parameter
    lines = [f"if {test}:\n    c = {made}\n    {move}", f"return {wrapped}"]
    if p.yes(0.3):
        lines = [f"if not {parameter}:\n    return {wrapped}", f"c = {made}\n{move}", f"return {wrapped}"]
    p.elsewhere(
        f"{extra}def {name}(c, {parameter}, n=3):\n" + indent("\n".join(lines)),
        name,
        ("quant", "blocks", "codes"),
        share=0.6,
    )
    taken = p.yes(0.5)
    if " " in test and "n > 2" in test:
        taken = True
    m, x = p.name("m", "codes", "quantizer"), p.name("x", "z")
    where = ".cuda()" if taken and kind == "plain" and p.yes() else ""
    p.run(f"{_seed(p)}\n{m} = {name}(torch.zeros(4, 3), {taken})\n{x} = torch.randn(2, 4){where}")
    used = {
        "module": f"{m}({x})",
        "self": f"{m}({x})",
        "dict": f'{x} @ {m}["c"]',
        "list": f"{x} @ {m}[0]",
        "plain": f"{x} @ {m}",
    }[kind]
    held = {"module": f"{m}.c", "self": f"{m}.c", "dict": f'{m}["c"]', "list": f"{m}[0]", "plain": m}[kind]
    if p.yes(0.4):
        p.run(f"print({held}.device.type, {held}.sum().item())")
    elif taken:
        p.run(f"{x} = {x}.to({held}.device)\nprint(({used}).sum().item())")
    else:
        p.run(f"print(({used}).sum().item())")


# Files that see each other, several GPUs.


@piece(5)
def _current_device(p: Program) -> None:
    """A file that names a device beside one that selects the current one, or hides some."""
    p.several = True
    name = p.name("weighted", "penalty", "priors", "anchors")
    index = p.one("cuda:0", "cuda:0", "cuda")
    where = p.one("file", "file", "function", "default")
    definition = p.one(
        f'torch.device("{index}" if torch.cuda.is_available() else "cpu")', f'torch.device("{index}")', f'"{index}"'
    )
    made = p.one(
        "torch.ones(3).cuda()",
        'torch.ones(3, device="cuda")',
        "torch.cuda.FloatTensor(3).fill_(1)",
        'torch.ones(3).to("cuda")',
    )
    head = f"device = {definition}\n\n\n" if where == "file" else ""
    inside = f"    device = {definition}\n" if where == "function" else ""
    text = f"{head}def {name}(x):\n{inside}    w = {made}\n    return (x * w).sum()"
    p.elsewhere(text, name, ("loss", "losses", "terms", "priors"), share=0.75)
    select = p.one(
        'torch.cuda.set_device(int(os.environ.get("LOCAL_RANK", str(torch.cuda.device_count() - 1))))', "torch.cuda.set_device(min(1, torch.cuda.device_count() - 1))", 'torch.cuda.set_device("cuda:1")',
        'torch.cuda.set_device(torch.device("cuda", 1))', "torch.cuda.set_device(torch.cuda.device_count() - 1)",
    )  # fmt: skip
    p.imports.append("import os")
    given = p.one("torch.arange(3.0).cuda()", 'torch.arange(3.0, device="cuda")')
    if p.yes(0.3):
        p.run(f"with torch.cuda.device(torch.cuda.device_count() - 1):\n    print({name}({given}).item())")
    elif p.yes(0.25):
        p.run(f"torch.cuda.set_device({p.one('0', '-1')})\nprint({name}({given}).item())")
    else:
        p.run(f"{select}\nprint({name}({given}).item())")


@piece(2)
def _visible_devices(p: Program) -> None:
    """A file asks for CUDA at its import, before the main one says which GPUs there are."""
    p.several = True
    name = p.name("make_net", "backbone", "get_model")
    literal = p.one('torch.device("cuda")', '"cuda"', '"cuda:0"')
    text = f"DEVICE = {literal}\n\n\ndef {name}():\n    return nn.Linear(3, 3).to(DEVICE)"
    if p.yes(0.5):
        text = f"def {name}():\n    net = nn.Linear(3, 3).cuda()\n    return net"
    if p.yes(0.4):
        text += f'\n\n\nif __name__ == "__main__":\n    print({name}()(torch.ones(1, 3).cuda()))'
    p.elsewhere(text, name, ("net_of", "backbone_of"), always=True)
    p.imports.append("import os")
    early = 'os.environ["CUDA_VISIBLE_DEVICES"] = "' + p.one("0", "0", "1", "0,1") + '"'
    if p.yes(0.5):
        p.first.append(early)
    else:
        p.run(early)
    net = p.name("net", "model")
    p.run(
        f"{_seed(p)}\n{net} = {name}()\nprint(torch.cuda.device_count())\nprint({net}({p.cuda('torch.ones(2, 3)', here=False)}).sum().item())"
    )


# Classes of their own.


@piece(8)
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
    has = lambda word: any(f"def {word}(" in m for m in kept)  # noqa: E731
    text = f"class {name}:\n    def __init__(self):\n        self.model = nn.Linear(3, 3)\n\n" + indent(
        "\n\n".join(kept)
    )
    p.elsewhere(text, name, ("embedder", "wrappers", "parts"), share=0.55)
    asks = [a for a in ("train", "eval") if has(a)]
    thing = p.name("embedder", "model", "net", "sampler", "task")
    ask = p.chance.choice(asks) if asks else ""
    p.run(_seed(p))
    way = p.chance.randrange(6)
    x = p.cuda("torch.randn(2, 3)", here=False)
    asked = f"{thing}.{ask}()" if ask else "pass"
    if way == 0:
        p.run(f"{thing} = {name}()\n{thing}.cuda()\n{asked}")
    elif way == 1 and chained:
        p.run(f"{thing} = {name}().cuda()\n{asked}")
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


@piece(3)
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
    net, batch = _net(p), p.one("batch", "sample", "item")
    move = f"{batch} = {batch}.cuda()" if not inplace or p.yes(0.6) else f"{batch}.cuda()"
    p.run(
        f"for {batch} in [{name}(torch.randn(2, 3)) for _ in range(2)]:\n    {move}\n    print({net}({batch}.x).sum().item())"
    )


# Modules.


@piece(5)
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
    p.run(f"{_seed(p)}\n{net} = {p.cuda(name + '()')}\nprint(len(list({net}.parameters())) + 0.5)")
    p.run(
        f"{opt} = torch.optim.SGD({net}.parameters(), lr=0.1)\n{net}({p.cuda('torch.ones(2, 3)')}).sum().backward()\n{opt}.step()"
    )
    p.run(f"print({net}.weight.sum().item(), {net}({p.cuda('torch.ones(2, 3)')}).sum().item())")


@piece(5, faulty=True)
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
    p.run(f"{_seed(p)}\n{net} = {name}().to({device})\n{x} = torch.randn(4, 6).to({device})")
    if p.yes():
        opt = p.name("opt", "optimizer")
        p.run(
            f"{opt} = torch.optim.SGD({net}.parameters(), lr=0.1)\nfor i in range(2):\n    {opt}.zero_grad()\n    {net}({x}).pow(2).mean().backward()\n    {opt}.step()"
        )
    p.run(f"print({net}({x}).sum().item())")


@piece(4, faulty=True)
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
    p.run(f"{_seed(p)}\n{net} = {name}().to({device})\nprint({net}(torch.randn(2, 3).to({device})).sum().item())")


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
    p.run(f"{_seed(p)}\n{net} = {name}().to({device})")
    if kind in ("list", "tuple") and p.yes(0.6):
        p.run(f"for part in {net}.parts:\n    {p.one('part.cuda()', f'part.to({device})')}")
    if kind == "tensor" and p.yes(0.5):
        p.run(f"{net}.parts = {net}.parts.cuda()")
    p.run(f"print({net}(torch.randn(2, 3).to({device})).sum().item())")


# Training.


def _loader(p: Program, kind: str) -> str:
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


def _training(
    p: Program, net: str, *, moves: tuple[str, str], wrap: str = "", criterion: str = "F.mse_loss", opt: str = ""
) -> None:
    """A training loop in the body: each of input and target is moved as said."""
    kind = p.one("pair", "pair", "dict", "list", "one")
    loader = _loader(p, kind)
    opt = opt or p.name("opt", "optimizer")
    if not wrap:
        p.run(f"{opt} = torch.optim.{p.one('SGD', 'Adam', 'AdamW')}({net}.parameters(), lr=0.1)")
    x, y = p.one(("x", "y"), ("data", "target"), ("images", "labels"))  # type: ignore[arg-type]
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


@piece(6)
def _hard_coded_training(p: Program) -> None:
    """A training that says CUDA everywhere, perhaps under flags for things that have nothing to do with it."""
    net = _net(p)
    criterion = p.one("F.mse_loss", "nn.MSELoss().cuda()", "nn.MSELoss()")
    if p.yes(0.3):
        guard = p.flag()
        p.run(f"if {guard.test}:\n    print('flag')")
    move = p.one(".cuda()", ".cuda(non_blocking=True)", '.to("cuda")')
    _training(p, net, moves=(move, move), criterion=criterion)


@piece(5, faulty=True)
def _forgotten_batch(p: Program) -> None:
    """A training that moves the network and forgets input, target or both."""
    net, device = p.name("net", "model"), p.device()
    p.run(f"{_seed(p)}\n{net} = nn.Linear(3, 3).to({device})")
    moved = f".to({device})"
    _training(p, net, moves=p.one(("", ""), (moved, ""), ("", moved)))  # type: ignore[arg-type]


@piece(4)
def _optimizer_first(p: Program) -> None:
    """The optimizer is built, and perhaps filled, before the network is placed."""
    net, opt = p.name("net", "model"), p.name("opt", "optimizer")
    place = p.one(f"{net}.cuda()", f"{net} = {net}.cuda()", f'{net}.to("cuda")')
    if p.text_of_device and p.yes():
        place = f"{net}.to({p.text_of_device})"
    made = f"{opt} = torch.optim.{p.one('SGD', 'Adam')}({net}.parameters(), lr=0.1)"
    lines = [_seed(p), f"{net} = nn.Linear(3, 3)", made]
    if p.yes(0.4):
        lines.append(f"{p.name('scheduler', 'sched')} = torch.optim.lr_scheduler.StepLR({opt}, 1)")
    if p.yes(0.3):
        lines.append(f"print(len({opt}.param_groups) + 0.5)")
    lines.append(place if p.yes(0.7) else p.guarded(p.flag(True, about_cuda=True), net, f"{net}.cuda()"))
    p.run("\n".join(lines))
    _training(p, net, moves=(".cuda()", ".cuda()"), wrap="made", opt=opt)


@piece(3, faulty=True)
def _state_first(p: Program) -> None:
    """Optimizer state is loaded before the network is placed."""
    net, opt = p.name("net", "model"), p.name("opt", "optimizer")
    device = p.device()
    p.run(fill(
        """
        @seed
        @net = nn.Linear(3, 3)
        @opt = torch.optim.Adam(@net.parameters(), lr=0.1)
        @net(torch.ones(2, 3)).sum().backward()
        @opt.step()
        saved = @opt.state_dict()
        @net = nn.Linear(3, 3)
        @opt = torch.optim.Adam(@net.parameters(), lr=0.1)
        @opt.load_state_dict(saved)
        @place
        @net(torch.ones(2, 3).to(@device)).sum().backward()
        @opt.step()
        print(@net.weight.sum().item())
        """, seed=_seed(p), net=net, opt=opt, place=p.one(f"{net}.to({device})", f"{net} = {net}.to({device})", f"{net}.cuda()"), device=device))  # fmt: skip


@piece(4)
def _data_parallel(p: Program) -> None:
    """DataParallel around a network that is placed before, after, or never."""
    p.several = True
    net, device = p.name("net", "model"), p.device() if p.yes(0.6) else ""
    placed = p.one(f"{net}.cuda()", f"{net} = {net}.cuda()", *([f"{net}.to({device})"] * 3 if device else []))
    ids = p.one("", "", ", device_ids=[0]", ", device_ids=list(range(torch.cuda.device_count()))")
    wrap = f"{net} = nn.DataParallel({net}{ids})"
    if p.yes(0.3):
        wrap = f"if torch.cuda.device_count() > 1:\n    {wrap}"
    order = p.one("after", "after", "before", "never")
    lines = [_seed(p), f"{net} = nn.Linear(3, 3)"]
    lines += [wrap, placed] if order == "after" else [placed, wrap] if order == "before" else [wrap]
    p.run("\n".join(lines))
    x = p.cuda("torch.randn(4, 3)")
    p.run(f"print({net}({x}).sum().item())")


@piece(2, alone=True)
def _distributed(p: Program) -> None:
    """DistributedDataParallel in one process, around a network that is placed before or after."""
    p.imports += ["import torch.distributed as dist", "from torch.nn.parallel import DistributedDataParallel as DDP"]
    net, backend = p.name("net", "model"), p.one("nccl", "nccl", "gloo")
    placed = p.one(f"{net}.cuda()", f"{net}.to(0)", f'{net}.to("cuda:0")', f"{net}.cuda(0)")
    p.run(f'dist.init_process_group("{backend}", store=dist.HashStore(), rank=0, world_size=1)')
    wrap = f"{net} = DDP({net}, device_ids=[{p.one('0', 'torch.cuda.current_device()')}])"
    lines = [wrap, placed] if p.yes(0.75) else [placed, wrap]
    p.run("\n".join([_seed(p), f"{net} = nn.Linear(3, 3)", *lines]))
    p.run(f"print({net}(torch.randn(2, 3).cuda()).sum().item())\ndist.destroy_process_group()")


@piece(4, faulty=True)
def _forgotten_tensor(p: Program) -> None:
    """A tensor, a network or a criterion's weights of which the move was forgotten."""
    device = p.device()
    net, x = p.name("net", "model"), p.name("x", "inputs", "z")
    kind = p.one("tensor", "module", "weights", "weights", "statement", "helper")
    p.run(_seed(p))
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


@piece(3, faulty=True)
def _numpy_and_lengths(p: Program) -> None:
    """What must lie on the CPU and does not: numpy's, and the lengths of sequences."""
    device = p.device()
    net, x = p.name("net", "model"), p.name("x", "inputs")
    p.run(f"{_seed(p)}\n{net} = nn.Linear(3, 3).to({device})\n{x} = torch.randn(2, 3).to({device})")
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


@piece(4)
def _legacy(p: Program) -> None:
    """Tensor types, Variables, amp, loads, and functions of CUDA alone."""
    net = _net(p)
    kind = p.one("type", "type", "alias", "cast", "amp", "amp", "scaler", "sync", "device_block", "question")
    x = p.name("x", "z", "noise")
    guard = p.flag(True if p.yes(0.7) else None, about_cuda=True)
    if kind == "type":
        made = p.one(
            "torch.cuda.FloatTensor([[1, 2, 3]])",
            "torch.cuda.FloatTensor(2, 3).fill_(0.5)",
            "torch.cuda.FloatTensor(np.ones((2, 3)))",
        )
        if "np." in made:
            p.imports.append("import numpy as np")
        p.run(f"{x} = {made}\nprint({net}({x}).sum().item())")
    elif kind == "alias":
        name = p.name("Tensor", "FloatTensor", "dtype")
        p.run(f"{name} = torch.cuda.FloatTensor if {guard.test} else torch.FloatTensor\n{x} = {name}([[1, 2, 3]])")
        p.run(f"print({x}.device.type, {x}.sum().item())")
        if guard.value:
            p.run(f"print({net}({x}).sum().item())")
    elif kind == "cast":
        p.run(
            f"{x} = torch.ones(2, 3).type(torch.cuda.{p.one('FloatTensor', 'DoubleTensor')}).float()\nprint({net}({x}).sum().item())"
        )
    elif kind == "amp":
        style = p.chance.randrange(2)
        if style:
            p.imports.append("from torch.cuda.amp import autocast")
        p.run(
            f"with {'autocast' if style else 'torch.cuda.amp.autocast'}({p.one('', 'enabled=False', f'enabled=bool({guard.test})')}):\n    print(round({net}({p.cuda('torch.ones(2, 3)')}).float().sum().item(), 1))"
        )
    elif kind == "scaler":
        scaler, opt = p.name("scaler"), p.name("opt", "optimizer")
        p.run(
            f"{scaler} = torch.cuda.amp.GradScaler({p.one('', 'enabled=False')})\n{opt} = torch.optim.SGD({net}.parameters(), lr=0.1)\n{scaler}.scale({net}({p.cuda('torch.ones(2, 3)')}).sum()).backward()\n{scaler}.step({opt})\n{scaler}.update()\nprint({net}.weight.sum().item())"
            if " = nn.Linear(3, 3)" in "".join(p.body[-1]) and "Sequential" not in "".join(p.body[-1])
            else f"{scaler} = torch.cuda.amp.GradScaler()\nprint({scaler}.get_scale())"
        )
    elif kind == "sync":
        p.run(
            p.one(
                "torch.cuda.synchronize()",
                "torch.cuda.reset_peak_memory_stats()",
                "torch.cuda.set_device(0)",
                "torch.cuda.empty_cache()",
                "print(torch.cuda.get_device_name(0))",
            )
        )
    elif kind == "device_block":
        p.run(f"with torch.cuda.device(0):\n    {x} = torch.ones(2, 3).cuda()\nprint({net}({x}).sum().item())")
    else:
        y = p.name("y", "w")
        p.run(
            f"{x} = {p.one('torch.ones(2, 3)', 'torch.ones(2, 3).cuda()')}\n{y} = torch.ones(2, 3)\nif {x}.is_cuda:\n    {y} = {y}.cuda()\nprint({y}.device.type, ({x} + {y}).sum().item())"
        )


@piece(2, alone=True)
def _old_keyword(p: Program) -> None:
    """`async=` as an argument, which no Python 3 parses."""
    p.layout = "flat" if p.layout == "notebook" else p.layout
    net, x = p.name("net", "model"), p.name("x", "target")
    p.run(
        f"{_seed(p)}\n{net} = nn.Linear(3, 3).cuda()\n{x} = torch.ones(2, 3).cuda(async=True)\nprint({net}({x}).sum().item())"
    )


@piece(5)
def _checkpoint(p: Program) -> None:
    """Weights or more are saved and loaded again, into a placed or an unplaced network."""
    net = _net(p, cuda=p.yes(0.7))
    path, other = p.name("path", "checkpoint", "best"), p.name("restored", "loaded", "teacher")
    p.run(f'{path} = "{path}.pt"')
    kind = p.one("weights", "weights", "dict", "whole", "tensor")
    where = p.one("", "", "", ', map_location="cpu"', ', map_location="cuda"', ", map_location=lambda s, l: s")
    made = p.cuda("nn.Linear(3, 3)") if p.yes(0.6) else "nn.Linear(3, 3)"
    load = f"torch.load({path}{where})"
    if kind == "weights":
        p.run(
            f"{_seed(p)}\n{other} = {made}\ntorch.save({other}.state_dict(), {path})\n{other}.load_state_dict({load})"
        )
        result = f"{other}.weight"
    elif kind == "dict":
        state = p.name("state", "ckpt", "saved")
        p.run(
            f'{_seed(p)}\n{other} = {made}\ntorch.save({{"net": {other}.state_dict(), "epoch": 3, "best": {other}.weight.detach().sum()}}, {path})\n{state} = {load}\n{other}.load_state_dict({state}["net"])'
        )
        if p.yes(0.4):
            p.run(f'print({state}["best"].item())')
        if p.yes(0.2):
            p.run(f'print(({state}["best"] * {other}.weight).sum().item())')
        result = f"{other}.weight"
    elif kind == "whole":
        whole = f"torch.load({path}{where}, weights_only=False)"
        p.run(
            f"{_seed(p)}\n{other} = {made}\ntorch.save({other}, {path})\n{other} = {whole}"
            + p.one("", "", f"\n{other}.cuda()", f"\n{other} = {other}.cuda()")
        )
        result = f"{other}.weight"
    else:
        p.run(f"torch.save({p.cuda('torch.ones(2, 3)')}, {path})\n{other} = {load}" + p.one("", ".cuda()"))
        result = other
    p.run(f"print({result}.device.type, {result}.sum().item())")
    if kind != "tensor" and ".cuda" in made and where != ', map_location="cpu"':
        p.run(f"print({other}(torch.ones(2, 3).to({other}.weight.device)).sum().item())")
    _ = net


@piece(4)
def _metrics(p: Program) -> None:
    """Metrics and buffers that are kept on the CPU on purpose, beside a network on the GPU."""
    net, total = _net(p), p.name("total", "confusion", "running", "correct")
    flag = p.flag() if p.yes(0.5) else None
    p.run(f"{total} = torch.zeros(3)")
    if flag is not None:
        p.run(p.guarded(flag, total, f"{total}.cuda()"))
    x = p.cuda("torch.randn(2, 3)")
    add = f"{net}({x}).detach().sum(0)"
    if flag is None:
        back = p.one(".cpu()", '.to("cpu")', f".to({total}.device)")
    elif flag.value:
        back = p.one("", f".to({total}.device)")
    else:
        back = p.one(".cpu()", f".to({total}.device)")
    p.run(f"for _ in range(2):\n    {total} = {total} + {add}{back}\nprint({total}.device.type, {total}.sum().item())")


# Anything at all.


@piece(10)
def _mixture(p: Program) -> None:
    """Random steps over tensors and networks whose places are followed, so that the program mostly runs: in the body or a function."""
    value, flag = p.yes(), p.flag_name()
    inside = p.yes(0.6)
    guard = Guard(p.one(flag, flag, f"not {flag}"), value) if inside else p.flag(value)
    lies: dict[str, str] = {}
    nets: dict[str, str] = {}
    lines: list[str] = []

    def new(*stems: str) -> str:
        return p.name(*stems) if not inside else _fresh({**lies, **nets}, p.one(*stems))

    def tensor() -> None:
        name = new("a", "b", "x", "y", "mask", "h")
        gpu = p.yes()
        made = p.one("torch.randn(2, 3)", "torch.ones(2, 3)", "torch.full((2, 3), 0.5)")
        lines.append(f"{name} = {p.cuda(made, here=not inside) if gpu else made}")
        lies[name] = "gpu" if gpu else "cpu"

    def network() -> None:
        name = new("net", "layer", "proj")
        gpu = p.yes(0.7)
        lines.append(f"{name} = {p.cuda('nn.Linear(3, 3)', here=not inside) if gpu else 'nn.Linear(3, 3)'}")
        nets[name] = "gpu" if gpu else "cpu"

    def move() -> None:
        name = p.chance.choice(list(lies))
        if p.yes(0.7):
            lines.append(f"{name} = {p.cuda(name, here=not inside)}")
            lies[name] = "gpu"
        else:
            lines.append(f"{name} = {p.cpu(name)}")
            lies[name] = "cpu"

    def guarded() -> None:
        name = p.chance.choice(list(lies))
        way = p.chance.randrange(5)
        if way <= 1:
            lines.append(p.guarded(guard, name, f"{name}.cuda()"))
            lies[name] = "gpu" if guard.value else lies[name]
        elif way == 2:
            lines.append(p.guarded(guard, name, f"{name}.cpu()"))
            lies[name] = "cpu" if guard.value else lies[name]
        elif way == 3:
            lines.append(p.guarded(guard, name, f"{name}.cuda()", f"{name}.cpu()"))
            lies[name] = "gpu" if guard.value else "cpu"
        else:
            net = p.chance.choice(list(nets)) if nets else ""
            if net:
                lines.append(f"if {guard.test}:\n    {net}.cuda()")
                nets[net] = "gpu" if guard.value else nets[net]

    def chosen() -> None:
        name, device = p.chance.choice(list(lies)), new("device", "dev", "where", "d")
        on = p.yes()
        lines.append(f"{device} = {p.choice(guard.test, *(('cuda', 'cpu') if on else ('cpu', 'cuda')))}")
        lines.append(f"{name} = {name}.to({device})")
        lies[name] = "gpu" if guard.value == on else "cpu"

    def combine() -> None:
        name = p.chance.choice(list(lies))
        same = [other for other in lies if lies[other] == lies[name]]
        result = new("c", "out", "z", "s")
        lines.append(f"{result} = {name} {p.one('+', '*', '-')} {p.chance.choice(same)}")
        lies[result] = lies[name]

    def call() -> None:
        fitting = [(net, x) for net in nets for x in lies if lies[x] == nets[net]]
        if fitting:
            net, x = p.chance.choice(fitting)
            result = new("out", "pred", "z")
            lines.append(f"{result} = {net}({x}).detach()")
            lies[result] = lies[x]

    def pack() -> None:
        name, holder = p.chance.choice(list(lies)), new("pair", "batch", "store", "items")
        key = p.one('["x"]', "[0]", "[-1]")
        lines.append(f'{holder} = {{"x": {name}}}' if "x" in key else f"{holder} = {p.one(f'[{name}]', f'({name},)')}")
        again = new("u", "v", "w")
        if p.yes(0.3) and "x" in key:
            lines.append(f'{holder}["x"] = {holder}["x"].cuda()')
            lies[again] = "gpu"
        elif p.yes(0.25):
            lines.append(fill("if @test:\n    @holder = @moved", test=guard.test, holder=holder,
                              moved=f'{{k: v.cuda() for k, v in {holder}.items()}}' if "x" in key else f"[v.cuda() for v in {holder}]"))  # fmt: skip
            lies[again] = "gpu" if guard.value else lies[name]
        else:
            lies[again] = lies[name]
        lines.append(f"{again} = {holder}{key}")

    def loop() -> None:
        name = p.chance.choice(list(lies))
        same = [other for other in lies if lies[other] == lies[name]]
        lines.append(f"for i in range(2):\n    {name} = {name} + {p.chance.choice(same)} * i")

    def follow() -> None:
        name, other = p.chance.choice(list(lies)), p.chance.choice(list(lies))
        lines.append(p.one(f"{name} = {name}.to({other}.device)", f"if {other}.is_cuda:\n    {name} = {name}.cuda()"))
        if lines[-1].startswith("if"):
            lies[name] = "gpu" if lies[other] == "gpu" else lies[name]
        else:
            lies[name] = lies[other]

    def show() -> None:
        name = p.chance.choice(list(lies))
        lines.append(p.one(f"print({name}.sum().item())", f"print({name}.is_cuda, {name}.mean().item())", f"print({name}.device.type)",
                           f"print({name}.cpu().numpy().sum())", f"print({name}.numpy().sum())" if lies[name] == "cpu" else "pass"))  # fmt: skip

    def early() -> None:
        if inside and p.yes(0.5):
            name = p.chance.choice(list(lies))
            lines.append(f"if {p.one(f'{name}.sum() > 1e9', f'{name} is None', 'n > 10')}:\n    return {name}")

    steps = [
        tensor,
        network,
        move,
        guarded,
        guarded,
        guarded,
        chosen,
        combine,
        call,
        call,
        pack,
        loop,
        follow,
        show,
        early,
    ]
    lines.append(_seed(p))
    tensor()
    tensor()
    network()
    for _ in range(p.chance.randrange(4, 11)):
        p.chance.choice(steps)()
    if inside:
        name = p.name("step", "process", "compute", "forward_pass", "sample")
        lines.append("return " + p.one(p.chance.choice(list(lies)), f"{list(lies)[-1]}.sum()"))
        default = value if guard.test == flag else not value
        text = f"def {name}(n=1, {flag}={default if p.yes() else not default}):\n" + indent("\n".join(lines))
        p.elsewhere(text, name, ("work", "steps", "ops"), share=0.25)
        p.run(f"print({name}({flag}={default}).sum().item())")
    else:
        p.run("\n".join(lines))
        p.run(f"print({list(lies)[-1]}.sum().item())")


def _fresh(taken: dict[str, str], stem: str) -> str:
    name, number = stem, 1
    while name in taken or name == "n":
        number += 1
        name = f"{stem}{number}"
    return name


@piece(4, alone=True, faulty=True)
def _unplaced(p: Program) -> None:
    """A program that names no device at all: what `--add-placement` is for."""
    net = p.name("net", "model")
    p.run(f"{_seed(p)}\n{net} = nn.Linear(3, 3)")
    _training(p, net, moves=("", ""))
    _ = block
