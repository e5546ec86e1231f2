"""Networks that are wrapped: DataParallel and DistributedDataParallel, placed before, after, or never."""

from __future__ import annotations

from typing import TYPE_CHECKING

from adversary_program import fill
from hostile.piece import piece, seed_line

if TYPE_CHECKING:
    from adversary_program import Program


@piece(3, rules="PF102 PF103")
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
    lines = [seed_line(p), f"{net} = nn.Linear(3, 3)"]
    lines += [wrap, placed] if order == "after" else [placed, wrap] if order == "before" else [wrap]
    p.run("\n".join(lines))
    x = p.on_gpu("torch.randn(4, 3)")
    p.run(f"print({net}({x}).sum().item())")


def _own_net(p: Program) -> str:
    """A network's expression: of torch, of a class, or from a function."""
    kind = p.chance.randrange(4)
    if kind == 0:
        return p.one("nn.Linear(3, 3)", "nn.Sequential(nn.Linear(3, 3), nn.BatchNorm1d(3))")
    if kind == 1:
        name = p.name("build_net", "get_model", "create_model")
        p.elsewhere(f"def {name}():\n    net = nn.Linear(3, 3)\n    return net", name, ("zoo", "nets"), share=0.4)
        return f"{name}()"
    name = p.name("Net", "Model", "Backbone")
    keeps = p.one("", "self.scale = torch.ones(3)", 'self.register_buffer("mean", torch.zeros(3))', "self.steps = 0")
    use = {"": "self.l(x)", "self.scale = torch.ones(3)": "self.l(x) * self.scale.to(x.device)", "self.steps = 0": "self.l(x) + self.steps"}.get(
        keeps, "self.l(x) - self.mean"
    )  # fmt: skip
    text = fill(
        """
        class @name(nn.Module):
            def __init__(self):
                super().__init__()
                self.l = nn.Linear(3, 3)
                @keeps

            def forward(self, x):
                return @use
        """, name=name, keeps=keeps or "self.eval()", use=use)  # fmt: skip
    p.elsewhere(text, name, ("models", "parts"), share=0.3)
    return f"{name}()"


def _between(p: Program, net: str) -> list[str]:
    """What stands between the wrap and the placement; it computes nothing on a device."""
    opt = p.name("opt", "optimizer")
    choices = (
        f"print(len(list({net}.parameters())))",
        f"{opt} = torch.optim.SGD({net}.parameters(), lr=0.1)",
        f"{opt} = torch.optim.Adam({net}.module.parameters(), lr=0.1)",
        f"{net}.eval()",
        f"for q in {net}.parameters():\n    q.requires_grad_(False)",
        f"print(type({net}).__name__, next({net}.parameters()).shape)",
        f"print(sum(q.numel() for q in {net}.parameters()))",
        f"weights = {{k: v.clone() for k, v in {net}.state_dict().items()}}\n{net}.load_state_dict(weights)",
        f"{net}.module.train()",
        "torch.backends.cudnn.benchmark = True",
        f'if hasattr({net}, "module"):\n    print("wrapped")',
        f"history = [{net}]",
        f"first = next({net}.parameters())\nprint(first.is_cuda)",
        f"print(next({net}.parameters()).detach().numpy().shape)",
        f"torch.nn.init.ones_(next({net}.parameters()))",
        f"{net}.module.extra = nn.Linear(3, 3)",
    )
    return [p.chance.choice(choices) for _ in range(p.chance.choice((0, 1, 1, 2)))]


@piece(4, rules="PF102 PF103")
def _wrapped_and_used(p: Program) -> None:
    """DataParallel under every name, around networks from everywhere, with something between the wrap and the placement."""
    p.several = True
    device = p.device() if p.yes(0.75) else ""
    wrapper, line = p.chance.choice((
        ("nn.DataParallel", ""), ("torch.nn.DataParallel", ""), ("DataParallel", "from torch.nn import DataParallel"),
        ("DP", "from torch.nn.parallel import DataParallel as DP"), ("nn.parallel.DataParallel", ""),
    ))  # fmt: skip
    if line:
        p.imports.append(line)
    net = p.name("net", "model", "parallel", "generator")
    made, ids = (
        _own_net(p),
        p.one("", "", "", ", device_ids=[0]", ", [0]", ", device_ids=range(torch.cuda.device_count())", ", dim=0"),
    )
    places = [f"{net}.cuda()", f"{net} = {net}.cuda()", f'{net}.to("cuda")', f"{net} = {net}.cuda(0)"]
    if device:
        places = [f"{net}.to({device})", f"{net} = {net}.to({device})", f"{net}.to({device})", places[0]]
    placed = p.chance.choice(places)
    if p.yes(0.2):
        placed = p.guarded(p.flag(True, about_cuda=True), net, f"{net}.cuda()")
    form = p.one("inline", "inline", "after", "after", "after", "never", "never", "conditional")
    between = _between(p, net)
    lines = [seed_line(p)]
    if form == "inline":
        lines += [
            f"{net} = {wrapper}({made}{ids})" + (p.one(".cuda()", f".to({device})") if device else ".cuda()"),
            *between,
        ]
    elif form == "after":
        lines += [f"{net} = {made}", f"{net} = {wrapper}({net}{ids})", *between, placed]
    elif form == "never":
        lines += p.chance.choice(
            ([f"{net} = {wrapper}({made}{ids})"], [f"{net} = {made}", f"{net} = {wrapper}({net}{ids})"])
        )
        lines += [b for b in between if "clone" not in b]
    else:
        lines += [f"{net} = {made}", f"if torch.cuda.device_count() > 1:\n    {net} = {wrapper}({net}{ids})", placed]
    p.run("\n".join(lines))
    x = p.on_gpu("torch.randn(4, 3)")
    p.run(f"print({net}({x}).sum().item())")
    if p.yes(0.3):
        p.run(f"{p.name('saved')} = {net}.state_dict()\nprint(next(iter({net}.parameters())).device.type)")


def _group(p: Program, backend: str) -> str:
    p.imports.append("import torch.distributed as dist")
    return f'dist.init_process_group("{backend}", store=dist.HashStore(), rank=0, world_size=1)'


@piece(3, alone=True, apart=True, bare=True, rules="PF101")
def _distributed(p: Program) -> None:
    """DistributedDataParallel in one process, around a network that is placed before or after."""
    p.imports += ["from torch.nn.parallel import DistributedDataParallel as DDP"]
    net, backend = p.name("net", "model"), p.one("nccl", "nccl", "gloo")
    placed = p.one(f"{net}.cuda()", f"{net}.to(0)", f'{net}.to("cuda:0")', f"{net}.cuda(0)")
    p.run(_group(p, backend))
    wrap = f"{net} = DDP({net}, device_ids=[{p.one('0', 'torch.cuda.current_device()')}])"
    lines = [wrap, placed] if p.yes(0.75) else [placed, wrap]
    p.run("\n".join([seed_line(p), f"{net} = nn.Linear(3, 3)", *lines]))
    p.run(f"print({net}(torch.randn(2, 3).cuda()).sum().item())\ndist.destroy_process_group()")


@piece(5, alone=True, apart=True, bare=True, rules="PF101 PF105")
def _distributed_and_used(p: Program) -> None:
    """DistributedDataParallel under every name, with ranks from everywhere and something between the wrap and the placement."""
    wrapper, line = p.chance.choice((
        ("DDP", "from torch.nn.parallel import DistributedDataParallel as DDP"), ("nn.parallel.DistributedDataParallel", ""),
        ("DistributedDataParallel", "from torch.nn.parallel import DistributedDataParallel"), ("torch.nn.parallel.DistributedDataParallel", ""),
    ))  # fmt: skip
    if line:
        p.imports.append(line)
    rank, made, net = p.name("rank", "local_rank", "gpu"), _own_net(p), p.name("net", "model", "ddp")
    backend = p.one("nccl", "nccl", "nccl", "gloo")
    if p.yes(0.4):
        p.imports.append("import os")
        first = f'{rank} = int(os.environ.get("LOCAL_RANK", "0"))'
    else:
        first = f"{rank} = 0"
    device = p.name("device", "dev")
    where = p.one(rank, device, device)
    define = f"{device} = " + p.one(
        f'torch.device("cuda", {rank})', f'torch.device(f"cuda:{{{rank}}}")', f'f"cuda:{{{rank}}}"'
    )
    placed = p.one(
        f"{net}.to({where})",
        f"{net} = {net}.to({where})",
        f"{net}.cuda({rank})",
        f"{net}.cuda()",
        f"{net} = {net}.cuda()",
    )
    ids = p.one(f", device_ids=[{rank}]", f", device_ids=[{rank}], output_device={rank}", f", device_ids=[{rank}], find_unused_parameters=True",
                f", [{rank}]", "" if backend == "nccl" else f", device_ids=[{rank}]")  # fmt: skip
    between = [line for line in _between(p, net) if "cudnn" not in line]
    extra = p.one("", "", f"{net} = nn.SyncBatchNorm.convert_sync_batchnorm({net})", f"{net}.train()")
    kind = p.one("after", "inline", "before", "function", "never", "never", "never", "never")
    if kind == "never":
        placed = ""
    lines = [first, define, _group(p, backend)]
    if p.yes(0.5):
        lines.append(f"torch.cuda.set_device({where if where == rank else rank})")
    lines += [seed_line(p), f"{net} = {made}", extra]
    if kind == "function":
        name = p.name("wrap", "distribute", "parallelise")
        p.define(f"def {name}(m, {rank}):\n    return {wrapper}(m{ids})")
        lines += [f"{net} = {name}({net}, {rank})", placed]
    elif kind == "inline":
        lines += [f"{net} = {wrapper}({net}{ids}).to({where})"]
    else:
        wrap = f"{net} = {wrapper}({net}{ids})"
        lines += [wrap, *between, placed] if kind == "after" else [placed, *between[:0], wrap]
    p.run("\n".join(line for line in lines if line))
    opt = p.name("optim_", "sgd")
    p.run(
        f"{opt} = torch.optim.SGD({net}.parameters(), lr=0.1)\nloss = {net}(torch.randn(2, 3).{p.one('cuda()', f'to({where})')}).sum()"
    )
    p.run(
        f"if loss.requires_grad:\n    loss.backward()\n    {opt}.step()\nprint(loss.item(), sum(q.sum().item() for q in {net}.parameters()))"
    )
    p.run("dist.destroy_process_group()")


@piece(2, faulty=True, rules="PF113")
def _wrapped_attribute(p: Program) -> None:
    """An attribute of a network that is read of the wrapper: it raises, unless code around it asks first or the wrapper has one."""
    p.several = True
    device, net, cls = p.device(), p.name("net", "model", "parallel"), p.name("Net", "Model")
    attr = p.name("head", "fc", "classifier", "layer1")
    p.define(
        fill(
            """
            class @cls(nn.Module):
                def __init__(self):
                    super().__init__()
                    self.@attr = nn.Linear(3, 3)

                def forward(self, x):
                    return self.@attr(x)

                def norm(self):
                    return self.@attr.weight.norm()
            """, cls=cls, attr=attr)
    )  # fmt: skip
    p.run(f"{seed_line(p)}\n{net} = nn.DataParallel({cls}().to({device}))")
    read = p.one(
        f"print({net}.{attr}.weight.sum().item())",
        f"print({net}.norm().item())",
        f"opt = torch.optim.SGD({net}.{attr}.parameters(), lr=0.1)\nprint(len(opt.param_groups))",
        f"{net}.{attr}.weight.requires_grad_(False)",
        f"{net}.{attr} = {net}.{attr}.eval()",
        f'if hasattr({net}, "{attr}"):\n    print({net}.{attr})',
        f"try:\n    print({net}.{attr})\nexcept AttributeError:\n    print({net}.module.{attr})",
        f"{net}.{attr} = {net}.module.{attr}\nprint({net}.{attr})",
        f"print({net}.training, {net}.module.{attr})",
    )
    p.run(read)
    p.run(f"print({net}({p.on_gpu('torch.randn(4, 3)')}).sum().item())")


@piece(2, faulty=True, rules="PF414")
def _loss_of_each_gpu(p: Program) -> None:
    """A network that returns its loss, in a DataParallel: with two GPUs the loss is a vector, and `backward` raises."""
    p.several = True
    device, net, cls, loss = p.device(), p.name("net", "model"), p.name("Net", "WithLoss"), p.name("loss", "error")
    computed = p.one(
        "F.mse_loss(out, y)", 'F.mse_loss(out, y, reduction="sum")', "(out - y).pow(2).mean()", "out.sum() + y.sum()", "(out - y).pow(2).sum(1)",
    )  # fmt: skip
    p.imports.append("import torch.nn.functional as F")
    p.define(
        fill(
            """
            class @cls(nn.Module):
                def __init__(self):
                    super().__init__()
                    self.fc = nn.Linear(3, 3)

                def forward(self, x, y):
                    out = self.fc(x)
                    return @computed
            """, cls=cls, computed=computed)
    )  # fmt: skip
    p.run(f"{seed_line(p)}\n{net} = nn.DataParallel({cls}().to({device}))")
    given = f"{p.on_gpu('torch.randn(4, 3)')}, {p.on_gpu('torch.randn(4, 3)')}"
    after = p.one("", "", f"if {loss}.dim():\n    {loss} = {loss}.sum()\n", f"{loss} = {loss}.mean()\n")
    p.run(
        f"{loss} = {net}({given})\n{after}{loss}.backward()\nprint({loss}.item(), {net}.module.fc.weight.grad.sum().item())"
    )


@piece(2, faulty=True, rules="PF412")
def _sampler_beside_shuffle(p: Program) -> None:
    """A loader with a sampler, which raises with `shuffle=True`."""
    data, sampler = p.name("data", "rows", "train_set"), p.name("sampler", "order")
    p.imports.append("from torch.utils.data import DataLoader, RandomSampler, SequentialSampler, TensorDataset")
    p.run(f"{seed_line(p)}\n{data} = TensorDataset(torch.randn(6, 3))")
    made = p.one(f"SequentialSampler({data})", f"SequentialSampler({data})", f"RandomSampler({data})", "None")
    shuffle = p.one("True", "True", "True", "False", f"{sampler} is None")
    p.run(f"{sampler} = {made}")
    given = p.one(f"sampler={sampler}, shuffle={shuffle}", f"shuffle={shuffle}, batch_size=2, sampler={sampler}")
    p.run(f"for (x,) in DataLoader({data}, {given}):\n    print({p.on_gpu('x')}.sum().item())")
