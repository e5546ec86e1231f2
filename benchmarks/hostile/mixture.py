"""Random steps over tensors and networks."""

from __future__ import annotations

from typing import TYPE_CHECKING

from adversary_program import Guard, fill, indent
from hostile.piece import piece, seed_line

if TYPE_CHECKING:
    from adversary_program import Program


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
        lines.append(f"{name} = {p.on_gpu(made, here=not inside) if gpu else made}")
        lies[name] = "gpu" if gpu else "cpu"

    def network() -> None:
        name = new("net", "layer", "proj")
        gpu = p.yes(0.7)
        lines.append(f"{name} = {p.on_gpu('nn.Linear(3, 3)', here=not inside) if gpu else 'nn.Linear(3, 3)'}")
        nets[name] = "gpu" if gpu else "cpu"

    def move() -> None:
        name = p.chance.choice(list(lies))
        if p.yes(0.7):
            lines.append(f"{name} = {p.on_gpu(name, here=not inside)}")
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
    lines.append(seed_line(p))
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
