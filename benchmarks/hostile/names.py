"""What `device` and the names of devices stand for: local names, strings that are read, containers."""

from __future__ import annotations

from typing import TYPE_CHECKING

from adversary_program import fill, indent
from hostile.piece import piece, printed, seed_line

if TYPE_CHECKING:
    from adversary_program import Program


@piece(6, shows="a device bound further down")
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


@piece(5, shows="a device that an inner scope does not see")
def _class_bodies(p: Program) -> None:
    """A class that binds the name of a device, with tensors made in its body, in a lambda or comprehension of it or in a method."""
    device = p.device() if p.yes(0.6) else p.one("device", "dev", "DEVICE")
    name = p.name("Settings", "Config", "Defaults")
    bound = p.one(
        'torch.device("cuda" if torch.cuda.is_available() else "cpu")',
        '"first"',
        'torch.device("cpu")',
        "None",
        '"cuda"',
    )
    made = p.one("torch.ones(n).cuda()", 'torch.ones(n, device="cuda")', 'torch.ones(n).to("cuda")')
    value = p.one(
        "torch.ones(2).cuda()",
        f"[{made} for n in (1, 2)][0]",
        f"(lambda n: {made})(2)",
        f"{{n: {made} for n in (1, 2)}}[2]",
        f"next({made} for n in range(1, 3))",
        f"(lambda {device}, n: {made})(0, 2)",
        f"[{made} for {device}, n in ((0, 1), (0, 2))][1]",
    )
    lines = [f"{device} = {bound}", f"weight = {value}"]
    if p.yes(0.3):
        lines.reverse()
    if p.yes(0.3):
        lines = [f"weight = {value}"]
    if p.yes(0.4):
        lines.append(f"def start(self, n):\n    return {made}")
    body = f"class {name}:\n" + indent("\n".join(lines))
    if p.yes(0.3):
        p.define(f"def make_{name.lower()}():\n" + indent(body + f"\nreturn {name}()"))
        p.run(f"settings = make_{name.lower()}()")
    else:
        p.define(body)
        p.run(f"settings = {name}()")
    p.run("print(settings.weight.sum().item())")
    if "start" in body:
        p.run("print(settings.start(2).sum().item())")


@piece(4, shows="a device that another function sets")
def _declared_names(p: Program) -> None:
    """Inner functions that declare the name of a device global or nonlocal, and set it."""
    device = p.device() if p.yes(0.5) else p.one("device", "dev")
    name = p.name("build", "prepare", "collect")
    other = p.one('"cpu"', "None", 'torch.device("cpu")', "3")
    bound = p.one('torch.device("cuda" if torch.cuda.is_available() else "cpu")', 'torch.device("cuda")', "0")
    say = p.one("nonlocal", "nonlocal", "global")
    inner = f"def inner():\n    {say} {device}\n    {device} = {other}\n    return torch.ones(1){p.one('.cuda()', '')}"
    lines = [
        f"{device} = {bound}",
        inner,
        "x = inner()",
        f"y = torch.ones(1){p.one('.cuda()', '.to(@)').replace('@', repr('cuda'))}",
    ]
    if p.yes(0.3):
        lines[2], lines[3] = lines[3], lines[2]
    p.define(f"def {name}():\n" + indent("\n".join([*lines, "print(x.sum().item(), y.sum().item())"])))
    p.run(f"{name}()")


@piece(4, shows="a move that is taken for a test of CUDA")
def _moves_in_tests(p: Program) -> None:
    """A test that moves a tensor, with moves below it."""
    name = p.name("step", "evaluate", "score")
    test = p.one(
        "(y := x.cuda()).sum() > 0",
        "x.cuda().sum().item() > 0",
        'hasattr(x, "cuda")',
        'torch.ones(n, device="cuda").sum() > 0',
    )
    other = p.one("return x.cuda() * 2", "return x * 2", "return None")
    lines = ["x = torch.ones(n)", f"if {test}:", "    return (x.cuda() + 1).sum()", other]
    p.define(f"def {name}(n):\n" + indent("\n".join(lines)))
    p.run(f"print({name}(2) is None)")


@piece(5, shows="a device that is something else")
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
    p.run(f"{seed_line(p)}\nprint({name}([(torch.randn(2, 3), torch.ones(2, 3)) for _ in range(2)]).item())")


@piece(6, shows="a function that wants a string")
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
        'if @d.startswith("cuda"):\n    print("gpu")\nelse:\n    print("cpu")',
        'print("on " + @d)',
        "assert isinstance(@d, str)",
        'kind = getattr(torch, @d)',
        'import json\nprint(json.dumps({"where": @d}))',
        'import os\nprint(os.path.join("out", @d))',
        'match @d:\n    case "cuda":\n        print("gpu")\n    case _:\n        raise ValueError(@d)',
        'print(len(@d) > 2)',
        'print(sorted([@d, "b"]))',
        'if not @d:\n    raise ValueError(@d)',
        'if @d != "cpu":\n    print("gpu")\nelse:\n    print("cpu")',
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
    p.run(f"{seed_line(p)}\n{net} = {made}\nprint({net}({p.on_gpu('torch.ones(2, 3)')}).sum().item())")


@piece(4, rules="PF402")
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
        f"{seed_line(p)}\n{net} = nn.Linear(3, 3).to({say})\n{looks}\n{x} = {p.one('torch.ones(2, 3).to(' + say + ')', 'torch.ones(2, 3).cuda()', 'torch.ones(2, 3, device=' + say + ')')}"
    )
    p.run(printed(p, f"{net}({x})"))


@piece(4, alone=True, bare=True, rules="PF401 PF402", shows="a name that a star import brings")
def _star_import_below(p: Program) -> None:
    """A file that binds the name of a device itself, and takes all names of a file with code for CUDA further down."""
    device, stem = p.one("device", "device", "DEVICE", "torch_device"), p.one("kit", "tools", "shared")
    made = p.one("torch.ones(3).cuda()", 'torch.ones(3, device="cuda")', 'torch.ones(3).to("cuda")')
    listed = p.one("", "", '__all__ = ["shifted"]\n')
    own = f"{device} = 3\n" if not listed and p.yes(0.2) else ""
    p.files[f"{stem}.py"] = (
        f"import torch\nfrom torch import nn\n\n{listed}scale = {made}\n{own}\n\n"
        "def shifted(x):\n    return x.cuda() + scale\n"
    )
    if p.yes(0.3):
        p.files["through.py"] = f"from {stem} import *\n"
        stem = "through"
    cpu = p.one('torch.device("cpu")', '"cpu"')
    p.define(f"{device} = {cpu}\nfrom {stem} import *")
    total = "torch.zeros(3)" if own else f"torch.zeros(3, device={device})"
    p.run(f"total = {total}\ntotal += shifted(torch.ones(3)).cpu()\nprint(total.sum().item(), {device})")


@piece(4, rules="PF403 PF401 PF402", shows="a name among all names of a scope")
def _names_that_are_listed(p: Program) -> None:
    """A function with a guarded move that takes all of its names."""
    name, guard = p.name("train", "fit", "collect", "run_all"), p.flag(True, everywhere=True)
    net = p.one("net", "model")
    taken = p.one("locals()", "vars()", "{**locals()}", "dict(vars())")
    shown = p.one(f"sorted({taken})", f"len({taken})", "dir()", f"[k for k, v in {taken}.items() if v is not None]")
    moved = p.guarded(guard, net, f"{net}.cuda()")
    body = f"{net} = nn.Linear(3, 2)\n{moved}\nprint({shown})\nreturn {net}"
    p.define(f"def {name}(steps=2):\n" + indent(body))
    p.run(f"{seed_line(p)}\nprint(next({name}().parameters()).device.type)")


@piece(3, alone=True, apart=True, rules="PF401 PF402 PF302", shows="a move that the file replaces")
def _replaced_methods(p: Program) -> None:
    """A file that replaces the moves of torch: a program that counts them, or runs without a GPU."""
    of, layer = p.one("torch.Tensor", "torch.nn.Module", "nn.Module"), "nn.Linear(3, 2)"
    stays = "def placed(self, *args, **options):\n    moves.append(1)\n    return self"
    replaced = p.one(f"{of}.cuda = placed", f'setattr({of}, "cuda", placed)', f"{of}.cuda = {of}.to = placed")
    p.define(f"moves = []\n\n\n{stays}\n\n\n{replaced}")
    x = p.one("torch.ones(1, 3)", "torch.ones(1, 3).cuda()") if of == "torch.Tensor" else "torch.ones(1, 3)"
    net = layer if of == "torch.Tensor" else f"{layer}.cuda()"
    p.run(f"{seed_line(p)}\nnet = {net}\nx = {x}\nprint(net(x).is_cuda, len(moves))")
