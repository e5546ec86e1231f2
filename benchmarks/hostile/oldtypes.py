"""Types of tensors that name CUDA, functions of CUDA alone, and keywords that are none any more."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hostile.piece import add_net, piece, seed_line

if TYPE_CHECKING:
    from adversary_program import Program


@piece(5, rules="PF407")
def _cuda_types(p: Program) -> None:
    """torch.cuda.FloatTensor and its kin: called with values, sizes and arrays, as casts, aliases, defaults, tests and items."""
    net, x = add_net(p), p.name("x", "z", "noise")
    kind = p.one(
        "values",
        "values",
        "sizes",
        "cast",
        "cast",
        "alias",
        "alias",
        "guarded",
        "default",
        "dict",
        "test",
        "string",
        "isinstance",
        "other",
        "function",
        "module",
        "compare",
        "chain",
    )
    t = p.one("torch.cuda.FloatTensor", "torch.cuda.FloatTensor", "FloatTensor", "cuda.FloatTensor")
    if t == "FloatTensor":
        p.imports.append("from torch.cuda import FloatTensor")
    elif t == "cuda.FloatTensor":
        p.imports.append("from torch import cuda")
    show = f"print({net}({x}).sum().item())"
    guard = p.flag(True, about_cuda=True)
    if kind == "values":
        p.imports.append("import numpy as np")
        p.run(
            f"rows = [[1.0, 2.0, 3.0]]\n{x} = {t}({p.one('rows', '[[1, 2, 3]]', '((1, 2, 3),)', 'np.ones((2, 3))', 'np.ones((2, 3), dtype=np.float32)', 'np.array(rows)', '[r for r in rows]')})\n{show}"
        )
    elif kind == "sizes":
        p.run(
            f"n = 2\n{x} = {t}({p.one('2, 3', 'n, 3', '*(2, 3)', 'torch.Size([2, 3])', 'n * 1, 3')}).{p.one('fill_(0.5)', 'zero_()', 'copy_(torch.ones(2, 3))')}\n{show}"
        )
    elif kind == "cast":
        p.run(f"{x} = torch.ones(2, 3){p.one('', '.double()', '.cuda()', '.int()')}.type({t})\n{show}")
    elif kind == "alias":
        name = p.name("Tensor", "FT", "dtype")
        p.run(
            f"{name} = {t}{p.one('', f' if {guard.test} else torch.FloatTensor')}\n{x} = {p.one(f'{name}([[1, 2, 3]])', f'torch.ones(2, 3).type({name})', f'{name}(2, 3).fill_(1)')}\n{show}"
        )
        if p.yes(0.3):
            p.run(
                p.one(
                    f"print({name}.__name__)",
                    f"print(isinstance({x}, {name}))",
                    f"print({x}.type() == 'torch.' + {name}.__name__)",
                    f"{name} = None",
                )
            )
    elif kind == "guarded":
        p.run(
            f"if {guard.test}:\n    {x} = torch.ones(2, 3).type({t})\nelse:\n    {x} = torch.ones(2, 3).type(torch.FloatTensor)\n{show}"
        )
    elif kind == "default":
        name = p.name("make", "sample")
        p.define(f"def {name}(n, kind=torch.cuda.FloatTensor):\n    return kind(n, 3).fill_(1)")
        p.run(f"{x} = {name}(2)\n{show}\nprint({name}(2, torch.FloatTensor).sum().item())")
    elif kind == "dict":
        p.run(f"kinds = {{'gpu': {t}, 'cpu': torch.FloatTensor}}\n{x} = kinds['gpu']([[1, 2, 3]])\n{show}")
    elif kind == "test":
        p.run(
            f"{x} = torch.ones(2, 3).cuda()\nif {x}.type() == 'torch.cuda.FloatTensor':\n    print('float')\n{x} = {x}.type({t})\n{show}"
        )
    elif kind == "string":
        p.run(f"{x} = torch.ones(2, 3).type('torch.cuda.FloatTensor')\n{show}")
    elif kind == "isinstance":
        p.run(f"{x} = {t}([[1, 2, 3]])\nprint(isinstance({x}, {t}))\n{show}")
    elif kind == "other":
        made = p.one(
            "torch.cuda.LongTensor([0, 1])",
            "torch.cuda.LongTensor([2])",
            "torch.cuda.IntTensor([0, 1]).long()",
            "torch.cuda.LongTensor(range(2))",
        )
        p.run(
            f"{x} = torch.ones(3, 3).cuda()[{made}]\n{show}\nprint(torch.cuda.ByteTensor([1, 0]).bool().sum().item(), torch.cuda.DoubleTensor([0.5]).sum().item())"
        )
    elif kind == "function":
        name = p.name("cast", "to_float")
        p.elsewhere(f"def {name}(v):\n    return v.type(torch.cuda.FloatTensor)", name, ("casts",), share=0.3)
        p.run(f"{x} = {name}(torch.ones(2, 3){p.one('', '.int()', '.cuda()')})\n{show}")
    elif kind == "module":
        p.run(f"{net}2 = nn.Linear(3, 3).type({t})\n{x} = {t}([[1, 2, 3]])\nprint({net}2({x}).shape)\n{show}")
    elif kind == "compare":
        p.run(f"{x} = {t}([[1, 2, 3]])\nmask = {x} > {t}([2])\nprint(mask.sum().item())\n{show}")
    else:
        p.run(
            f"{x} = {t}([[1, 2, 3]]).view(1, 3).{p.one('cuda()', 'float()', 'contiguous()', 'requires_grad_()')}\n{show}"
        )


@piece(5, rules="PF406")
def _functions_of_cuda(p: Program) -> None:
    """Functions that raise without CUDA, as statements of every form, under other names, as values, and with answers that are used."""
    net, x = add_net(p), p.on_gpu("torch.ones(2, 3)")
    f = p.one(
        "torch.cuda.synchronize",
        "torch.cuda.synchronize",
        "torch.cuda.reset_peak_memory_stats",
        "torch.cuda.ipc_collect",
        "sync",
        "cuda.synchronize",
        "synchronize",
    )
    if f == "sync":
        p.imports.append("from torch.cuda import synchronize as sync")
    elif f == "cuda.synchronize":
        p.imports.append("import torch.cuda as cuda")
    elif f == "synchronize":
        p.imports.append("from torch.cuda import synchronize")
    call = f"{f}()"
    flag = p.flag().test
    kind = p.one("plain", "plain", "one_line", "if", "lambda", "and", "timed", "function", "method", "loop", "finally", "print", "print", "set", "set", "block", "block", "block",
                 "stream", "event", "answer", "partial", "comprehension", "returned", "walrus", "with_two", "semicolon", "props")  # fmt: skip
    show = f"print({net}({x}).sum().item())"
    texts = {
        "plain": f"{call}\n{show}",
        "one_line": f"if {flag}: {call}\n{show}",
        "if": f"if {flag}:\n    {call}\nelse:\n    {call}\n{show}",
        "lambda": f"wait = lambda: {call}\nwait()\n{show}",
        "and": f"{flag} and {call}\n{show}",
        "timed": f"import time\nstart = time.time()\n{show}\n{call}\nprint(time.time() - start < 1000)",
        "loop": f"for i in range(2):\n    {show}\n    {call}\nelse:\n    {call}",
        "finally": f"try:\n    {show}\nfinally:\n    {call}",
        "print": p.one(f"print(torch.cuda.get_device_name(0))\n{show}", f"print('GPU:', torch.cuda.get_device_name())\n{show}", f"print(f'on {{torch.cuda.get_device_name(0)}}')\n{show}",
                       f"print(torch.cuda.get_device_properties(0).total_memory > 0)\n{show}", f"print(torch.cuda.get_device_capability() >= (0, 0)); {show}"),
        "set": p.one(f"torch.cuda.set_device(0)\n{show}", f"torch.cuda.set_device('cuda:0')\n{show}", f"gpu_ = 0\ntorch.cuda.set_device(gpu_)\n{show}", f"torch.cuda.set_device(torch.device('cuda', 0))\n{show}"),
        "block": p.one(f"with torch.cuda.device(0):\n    {show}", f"with torch.cuda.device(0), torch.no_grad():\n    {show}", f"with torch.cuda.device('cuda:0') as where:\n    {show}", f"gpu_ = 0\nwith torch.cuda.device(gpu_):\n    a = torch.ones(2).cuda()\n    print(a.sum().item())\n{show}",
                       f"with torch.no_grad():\n    with torch.cuda.device(0):\n        {show}", f"with torch.cuda.device({net}.{'weight' if 'Sequential' not in str(p.body[-1]) else '0.weight'.replace('0.', '__getitem__(0).')}.device):\n    {show}"),
        "stream": f"side = torch.cuda.Stream()\nwith torch.cuda.stream(side):\n    {show}\ntorch.cuda.current_stream().wait_stream(side)",
        "event": f"start, end = torch.cuda.Event(enable_timing=True), torch.cuda.Event(enable_timing=True)\nstart.record()\n{show}\nend.record()\n{call}",
        "answer": f"free = torch.cuda.get_device_properties(0).total_memory\nprint(free > 0)\n{show}",
        "partial": f"from functools import partial\nwait = partial({f})\nwait()\n{show}",
        "comprehension": f"[{call} for _ in range(2)]\n{show}",
        "walrus": f"if ({call}) is None:\n    {show}",
        "with_two": f"with torch.enable_grad(), torch.cuda.device(0):\n    {call}\n    {show}",
        "semicolon": f"{call}; {show}; {call}",
        "props": f"names = [torch.cuda.get_device_name(i) for i in range(torch.cuda.device_count())]\nprint(len(names))\n{show}",
    }  # fmt: skip
    if kind in ("function", "method", "returned"):
        name = p.name("wait", "barrier", "finish")
        if kind == "function":
            p.elsewhere(f"def {name}():\n    torch.cuda.synchronize()", name, ("timing",), share=0.3)
            p.run(f"{name}()\n{show}")
        elif kind == "returned":
            p.define(f"def {name}(v):\n    return torch.cuda.synchronize() or v")
            p.run(f"print({name}(3))\n{show}")
        else:
            cls = p.name("Timer", "Clock")
            p.define(
                f"class {cls}:\n    def __enter__(self):\n        torch.cuda.synchronize()\n        return self\n\n    def __exit__(self, *rest):\n        torch.cuda.synchronize()"
            )
            p.run(f"with {cls}():\n    {show}")
        return
    p.run(texts[kind])


@piece(3, alone=True, rules="PF400")
def _old_keywords(p: Program) -> None:
    """`async=` in calls of every form, beside words that only look like it."""
    p.layout = "flat" if p.layout == "notebook" else p.layout
    net, x = p.name("net", "model"), p.name("x", "target")
    calls = [p.one("torch.ones(2, 3).cuda(async=True)", "torch.ones(2, 3).cuda(async = True)", "torch.ones(2, 3).cuda(0, async=True)", "torch.ones(2, 3).cuda(\n    async=True)",
                   "torch.ones(2, 3).cuda(async=flag)", "torch.ones(2, 3).cuda(async=not flag)", "torch.ones(2, 3).cuda(device=0, async=True)") for _ in range(p.chance.choice((1, 2)))]  # fmt: skip
    lines = ["flag = True", seed_line(p), f"{net} = nn.Linear(3, 3).cuda()"]
    lines += [f"{x} = {call}" for call in calls]
    lines.append(
        p.one(
            'note = "cuda(async=True)"',
            "# x.cuda(async=True)",
            'note = """async=True"""',
            "non_blocking = False",
            f"{x}2, y = {calls[0]}, 1",
        )
    )
    lines.append(f"print({net}({x}).sum().item())")
    p.run("\n".join(lines))


@piece(4, rules="PF404 PF406 PF407")
def _legacy(p: Program) -> None:
    """Tensor types, Variables, amp, loads, and functions of CUDA alone."""
    net = add_net(p)
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
            f"with {'autocast' if style else 'torch.cuda.amp.autocast'}({p.one('', 'enabled=False', f'enabled=bool({guard.test})')}):\n    print(round({net}({p.on_gpu('torch.ones(2, 3)')}).float().sum().item(), 1))"
        )
    elif kind == "scaler":
        scaler, opt = p.name("scaler"), p.name("opt", "optimizer")
        p.run(
            f"{scaler} = torch.cuda.amp.GradScaler({p.one('', 'enabled=False')})\n{opt} = torch.optim.SGD({net}.parameters(), lr=0.1)\n{scaler}.scale({net}({p.on_gpu('torch.ones(2, 3)')}).sum()).backward()\n{scaler}.step({opt})\n{scaler}.update()\nprint({net}.weight.sum().item())"
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


@piece(2, alone=True, rules="PF400")
def _old_keyword(p: Program) -> None:
    """`async=` as an argument, which no Python 3 parses."""
    p.layout = "flat" if p.layout == "notebook" else p.layout
    net, x = p.name("net", "model"), p.name("x", "target")
    p.run(
        f"{seed_line(p)}\n{net} = nn.Linear(3, 3).cuda()\n{x} = torch.ones(2, 3).cuda(async=True)\nprint({net}({x}).sum().item())"
    )
