"""Functions with several callers, files that see each other, and what several GPUs change."""

from __future__ import annotations

from typing import TYPE_CHECKING

from adversary_program import fill, indent
from hostile.piece import piece, seed_line

if TYPE_CHECKING:
    from adversary_program import Program


@piece(5, shows="a helper with a CPU caller")
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
    cpu = p.flag(p.yes(0.7), new=True)  # one that asks for a GPU would change what is computed
    net = p.name("net", "model")
    p.run(f"{seed_line(p)}\n{net} = nn.Linear(3, 3).to({device})")
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


@piece(5, shows="what a function returns")
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
    p.run(f"{seed_line(p)}\n{m} = {name}(torch.zeros(4, 3), {taken})\n{x} = torch.randn(2, 4){where}")
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


@piece(5, shows="the current device")
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


@piece(2, shows="the current device", apart=True)
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
        f"{seed_line(p)}\n{net} = {name}()\nprint(torch.cuda.device_count())\nprint({net}({p.on_gpu('torch.ones(2, 3)', here=False)}).sum().item())"
    )


@piece(5, shows="what a function returns", rules="PF401 PF402")
def _given_or_made(p: Program) -> None:
    """A function that hands on what it was given, or makes it on CUDA: for callers that keep it on the CPU, and for others."""
    name, c = p.name("build", "prepare_mask", "codes_of", "init_state"), p.one("c", "mask", "state", "w")
    move = p.one(".cuda()", ".cuda()", '.to("cuda")', '.to(torch.device("cuda"))')
    made = p.one(
        f"torch.ones(3){move}",
        f"torch.rand(3){move}",
        'torch.ones(3, device="cuda")',
        f"torch.ones(3)\n    {c} = {c}{move}",
    )
    test = p.one(f"{c} is None", f"{c} is None", "fresh", "n > 2")
    handed = p.one(
        f"return {c}",
        f"return {c}",
        f'return {{"c": {c}}}',
        f"return [{c}]",
        f"store['c'] = {c}\nreturn store",
        f"return {c}, n",
        f"yield {c}",
    )
    body = p.one(f"if {test}:\n    {c} = {made}\n{handed}", f"if not ({test}):\n    {handed.splitlines()[-1] if 'store' not in handed else f'return dict(c={c})'}\n{c} = {made}".replace("\n    " + c, "\n" + c, 1) + f"\n{handed}" if "\n" not in made else f"if {test}:\n    {c} = {made}\n{handed}",
                 f"{c} = {made.split(chr(10))[0]} if {test} else {c}\n{handed}")  # fmt: skip
    p.elsewhere(
        f"def {name}({c}=None, fresh=False, n=1, store={{}}):\n" + indent(body),
        name,
        ("builders", "masks_of"),
        share=0.5,
    )
    take = {"return {": '["c"]', "return [": "[0]", "store": '["c"]', "yield": ""}
    key = next((value for word, value in take.items() if word in handed), "[0]" if ", n" in handed else "")
    got = f"next({name}(@a))" if "yield" in handed else f"{name}(@a){key}"
    if "yield" not in handed and "store" in handed and "dict(" in body:
        got = f"{name}(@a)['c']"
    new = {"fresh": "fresh=True", "n > 2": "n=3"}.get(test, "")
    given = f"torch.zeros(3) + {p.chance.randrange(5)}"
    kept, used = p.name("kept", "host"), p.name("used", "onto")
    calls = [
        f"{kept} = {got.replace('@a', given)}\nprint({kept}.device.type, ({kept} + torch.ones(3)).sum().item())",
        f"{used} = {got.replace('@a', new)}\nprint({used}.device.type, ({used} * {p.on_gpu('torch.ones(3)', here=False)}).sum().item())",
    ]
    if p.yes(0.4):
        calls.append(f"{used} = {got.replace('@a', p.on_gpu('torch.ones(3)'))}\nprint(({used} * 2).sum().item())")
    p.chance.shuffle(calls)
    p.run("\n".join([seed_line(p), *calls]))
