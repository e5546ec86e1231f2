"""torch.cuda.amp under all its names, and what is done with it beside calling it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from adversary_program import fill
from hostile.piece import add_net, piece, seed_line

if TYPE_CHECKING:
    from adversary_program import Program


@piece(5, rules="PF404")
def _amp_names(p: Program) -> None:
    """autocast, GradScaler and custom_fwd by attribute, import, alias, decorator, partial, another file or a name that hides them."""
    net = add_net(p)
    x = p.on_gpu("torch.ones(2, 3)")
    kind = p.one(
        "autocast",
        "autocast",
        "decorator",
        "partial",
        "file",
        "attempt",
        "scaler",
        "scaler",
        "both",
        "custom",
        "shadowed",
        "instance",
        "stored",
        "module",
        "half",
    )
    enabled = p.one(
        "",
        "",
        "False",
        "enabled=False",
        f"enabled=bool({p.flag().test})",
        "enabled=False, dtype=torch.bfloat16",
        "False, torch.bfloat16",
        "cache_enabled=False, enabled=False",
    )
    say = p.one("torch.cuda.amp.autocast", "autocast", "amp.autocast", "cast")
    line = {"autocast": "from torch.cuda.amp import autocast", "amp.autocast": p.one("from torch.cuda import amp", "import torch.cuda.amp as amp"),
            "cast": "from torch.cuda.amp import autocast as cast", "torch.cuda.amp.autocast": p.one("", "import torch.cuda.amp")}[say]  # fmt: skip
    if line and kind not in ("file", "attempt", "shadowed"):
        p.imports.append(line)
    shown = f"round({net}({x}).float().sum().item(), 1)"
    if kind == "autocast":
        p.run(f"with {say}({enabled}):\n    print({shown})")
    elif kind == "half":
        p.run(f"with {say}({enabled}), torch.no_grad():\n    y = {net}({x})\nprint(round(y.float().sum().item(), 1))")
    elif kind == "decorator":
        name = p.name("step", "infer")
        p.define(f"@{say}({enabled})\ndef {name}(m, v):\n    return m(v).float().sum()")
        p.run(f"print(round({name}({net}, {x}).item(), 1))")
    elif kind == "partial":
        p.imports.append("from functools import partial")
        ctx = p.name("ctx", "maker")
        p.run(f"{ctx} = partial({say}{', enabled=False' if p.yes() else ''})\nwith {ctx}():\n    print({shown})")
    elif kind == "file":
        name = p.name("mixed", "forward_amp")
        p.elsewhere(
            f"{line or 'import torch.cuda.amp'}\n\n\ndef {name}(m, v):\n    with {say}({enabled if 'bool(' not in enabled else ''}):\n        return m(v).float().sum()",
            name,
            ("precision",),
            always=True,
        )
        if p.yes() and say == "autocast":
            stem = next(f for f in p.files if f.startswith("precision"))[:-3]
            p.imports.append(f"from {stem} import autocast")
            p.run(f"with autocast():\n    print({shown})")
        p.run(f"print(round({name}({net}, {x}).item(), 1))")
    elif kind == "attempt":
        p.imports.append(
            "try:\n    from torch.cuda.amp import autocast\n    HAS_AMP = True\nexcept ImportError:\n    HAS_AMP = False"
        )
        p.run(f"if HAS_AMP:\n    with autocast({p.one('', 'enabled=False')}):\n        print({shown})")
    elif kind == "shadowed":
        name = p.name("wrapper", "guarded_step")
        p.imports.append("from torch.cuda.amp import autocast")
        p.define(f"def {name}(autocast):\n    return autocast(False)")
        p.run(f"print({name}(str))\nwith autocast({p.one('', 'enabled=False')}):\n    print({shown})")
    elif kind == "instance":
        p.run(
            f"amp_ctx = {say}(enabled=False)\nprint(isinstance(amp_ctx, {say}), type(amp_ctx).__name__)\nwith amp_ctx:\n    print({shown})"
        )
    elif kind == "stored":
        p.run(f"ctxs = {{'on': {say}, 'off': {say}}}\nwith ctxs['off'](enabled=False):\n    print({shown})")
    elif kind == "module":
        name = p.name("Amped", "Mixed")
        p.define(
            f"class {name}(nn.Module):\n    def __init__(self):\n        super().__init__()\n        self.l = nn.Linear(3, 3)\n        self.ctx = {say}\n\n    @{say}({p.one('', 'enabled=False')})\n    def forward(self, x):\n        with {say}({p.one('', 'enabled=False')}):\n            return self.l(x)"
        )
        p.run(f"{seed_line(p)}\nprint(round({p.on_gpu(name + '()')}({x}).float().sum().item(), 1))")
    elif kind == "custom":
        name = p.name("Square", "Twice")
        p.imports.append(
            p.one(
                "from torch.cuda.amp import custom_fwd, custom_bwd", "from torch.cuda.amp import custom_bwd, custom_fwd"
            )
        )
        cast = p.one("", "(cast_inputs=torch.float32)")
        p.define(fill(
            """
            class @name(torch.autograd.Function):
                @staticmethod
                @custom_fwd@cast
                def forward(ctx, x):
                    ctx.save_for_backward(x)
                    return x * x

                @staticmethod
                @custom_bwd
                def backward(ctx, g):
                    (x,) = ctx.saved_tensors
                    return 2 * x * g
            """, name=name, cast=cast, custom_fwd="@custom_fwd", custom_bwd="@custom_bwd", staticmethod="@staticmethod"))  # fmt: skip
        p.run(
            f"v = {p.on_gpu('torch.ones(2, 3)')}.requires_grad_()\n{name}.apply(v).sum().backward()\nprint(v.grad.sum().item())"
        )
    else:
        scaler, opt = p.name("scaler", "grad_scaler"), p.name("opt", "optimizer")
        gs = p.one("torch.cuda.amp.GradScaler", "GradScaler", "amp.GradScaler")
        if gs != "torch.cuda.amp.GradScaler":
            p.imports.append(
                "from torch.cuda.amp import GradScaler" if gs == "GradScaler" else "from torch.cuda import amp"
            )
        made = (
            f"{gs}({p.one('', '', 'enabled=False', 'init_scale=8.0', '1024.0', 'enabled=torch.cuda.is_available()')})"
        )
        note = f"{scaler}: {gs} = {made}" if p.yes(0.2) else f"{scaler} = {made}"
        step = f"loss = {net}({x}).float().sum()"
        if kind == "both":
            step = f"with {say}({enabled}):\n    {step}"
        p.run(
            f"{note}\n{opt} = torch.optim.SGD({net}.parameters(), lr=0.01)\n{step}\n{scaler}.scale(loss).backward()\n{scaler}.step({opt})\n{scaler}.update()\nprint(round(loss.item(), 1), {scaler}.is_enabled())"
        )
        if p.yes(0.3):
            p.run(f"print(isinstance({scaler}, {gs}), sorted({scaler}.state_dict())[:1])")
