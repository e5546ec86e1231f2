"""Optimizers that are built, filled, loaded or stepped before their network is placed."""

from __future__ import annotations

from typing import TYPE_CHECKING

from adversary_program import fill
from hostile.piece import piece, seed_line
from hostile.training import add_training

if TYPE_CHECKING:
    from adversary_program import Program


@piece(2, rules="PF201")
def _optimizer_first(p: Program) -> None:
    """The optimizer is built, and perhaps filled, before the network is placed."""
    net, opt = p.name("net", "model"), p.name("opt", "optimizer")
    place = p.one(f"{net}.cuda()", f"{net} = {net}.cuda()", f'{net}.to("cuda")')
    if p.text_of_device and p.yes():
        place = f"{net}.to({p.text_of_device})"
    made = f"{opt} = torch.optim.{p.one('SGD', 'Adam')}({net}.parameters(), lr=0.1)"
    lines = [seed_line(p), f"{net} = nn.Linear(3, 3)", made]
    if p.yes(0.4):
        lines.append(f"{p.name('scheduler', 'sched')} = torch.optim.lr_scheduler.StepLR({opt}, 1)")
    if p.yes(0.3):
        lines.append(f"print(len({opt}.param_groups) + 0.5)")
    lines.append(place if p.yes(0.7) else p.guarded(p.flag(True, about_cuda=True), net, f"{net}.cuda()"))
    p.run("\n".join(lines))
    add_training(p, net, moves=(".cuda()", ".cuda()"), wrap="made", opt=opt)


@piece(4, rules="PF201")
def _optimizer_and_more_first(p: Program) -> None:
    """Optimizers of every form, with what hangs on network and optimizer before the placement."""
    net, opt, head = (
        p.name("net", "model", "generator"),
        p.name("opt", "optimizer", "optim_g"),
        p.name("head", "critic"),
    )
    sched, rest = p.name("scheduler", "lr_sched"), p.name("params", "groups", "trainable")
    groups = p.chance.choice((
        f"{net}.parameters()", f"[q for q in {net}.parameters() if q.requires_grad]", f"filter(lambda q: q.requires_grad, {net}.parameters())",
        f'[{{"params": {net}.parameters(), "lr": 0.2}}]', f"list({net}.parameters()) + list({head}.parameters())",
        f'[{{"params": {net}.weight}}, {{"params": [{net}.bias], "lr": 0.5}}]', rest, rest,
        f"[v for k, v in {net}.named_parameters()]", f"itertools.chain({net}.parameters(), {head}.parameters())",
    ))  # fmt: skip
    if "itertools" in groups:
        p.imports.append("import itertools")
    maker = p.one(
        "torch.optim.SGD",
        "torch.optim.Adam",
        "torch.optim.AdamW",
        "torch.optim.Adagrad",
        "torch.optim.RMSprop",
        "optim.SGD",
        "make",
    )
    lines = [seed_line(p), f"{net} = nn.Linear(3, 3)", f"{head} = nn.Linear(3, 3)"]
    if groups == rest:
        lines.append(
            f"{rest} = " + p.one(f"list({net}.parameters())", f"[q for q in {net}.parameters()]", f"{net}.parameters()")
        )
    if maker == "optim.SGD":
        p.imports.append("from torch import optim")
    if maker == "make":
        maker = p.name("make_optimizer", "get_optimizer")
        p.define(f"{maker} = lambda params, lr: torch.optim.SGD(params, lr=lr)")
    lines.append(f"{opt} = {maker}({groups}, lr=0.1)")
    middle = (
        f"{sched} = torch.optim.lr_scheduler.StepLR({opt}, 1)",
        f"{sched} = torch.optim.lr_scheduler.LambdaLR({opt}, lr_lambda=[lambda e: 1.0] * len({opt}.param_groups))",
        f"print({opt}.param_groups[0]['lr'])",
        f"for group in {opt}.param_groups:\n    group['lr'] = 0.05",
        f"{opt}.zero_grad()",
        f"for q in {net}.parameters():\n    q.requires_grad = True",
        f"nn.init.constant_({net}.weight, 0.3)",
        f"{net}.weight.data.fill_(0.25)",
        f"{net}.load_state_dict({head}.state_dict())",
        f"{net}.weight = nn.Parameter(torch.ones(3, 3))",
        f"{opt}.add_param_group({{'params': [torch.zeros(3, requires_grad=True)]}})",
        f"{net}, {head} = {head}, {net}",
        f"{head} = {net}",
        f"print(id({opt}.param_groups[0]['params'][0]) == id(next({net}.parameters())))",
        f"{opt}.load_state_dict({opt}.state_dict())",
        f"{net}.eval()",
        f"best = {{k: v.clone() for k, v in {net}.state_dict().items()}}",
        f"print({net}.weight.sum().item())",
        f"{net}.bias.requires_grad_(False)",
    )
    lines += [p.chance.choice(middle) for _ in range(p.chance.randrange(4))]
    spell = [".cuda()", ".cuda()", '.to("cuda")'] + ([f".to({p.device()})"] * 3 if p.yes() else [])
    move = p.chance.choice(spell)
    place = p.one(f"{net}{move}", f"{net} = {net}{move}", f"{net}{move}; {head}{move}", f"for m in ({net}, {head}):\n    m{move}",
                  f"{net} = {net}{move}.train()")  # fmt: skip
    lines.append(place if p.yes(0.8) else p.guarded(p.flag(True, about_cuda=True), net, f"{net}.cuda()"))
    if f"{head}{move}" not in place and "for m" not in place:
        lines.append(f"{head}{move}")
    lines.append(fill(
        """
        for x in [torch.ones(2, 3), torch.randn(2, 3)]:
            loss = @head(@net(x@move)).pow(2).sum()
            @opt.zero_grad()
            loss.backward()
            @opt.step()
        print(@net.weight.sum().item(), @head.weight.sum().item())
        """, net=net, head=head, opt=opt, move=move))  # fmt: skip
    if any(sched in line for line in lines):
        lines.append(f"{sched}.step()")
    p.run("\n".join(lines))


@piece(2, faulty=True, rules="PF203")
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
        """, seed=seed_line(p), net=net, opt=opt, place=p.one(f"{net}.to({device})", f"{net} = {net}.to({device})", f"{net}.cuda()"), device=device))  # fmt: skip


@piece(4, faulty=True, rules="PF203")
def _state_and_more_first(p: Program) -> None:
    """State is loaded, or made by a step, before the network is placed: in functions, from files, with schedulers and guards."""
    net, opt = p.name("net", "model"), p.name("opt", "optimizer")
    device, kind = p.device(), p.one("Adam", "Adam", "SGD", "AdamW", "RMSprop")
    options = "lr=0.1, momentum=0.9" if kind == "SGD" else "lr=0.1"
    move = p.one(".cuda()", f".to({device})", f".to({device})", '.to("cuda")')
    made = f"{opt} = torch.optim.{kind}({net}.parameters(), {options})"
    lines = [seed_line(p), f"{net} = nn.Linear(3, 3)", made]
    load = p.one("step", "load", "load", "file", "function")
    step = f"{net}(torch.ones(2, 3)).sum().backward()\n{opt}.step()"
    again = f"{net} = nn.Linear(3, 3)\n{made}"
    path = p.name("ckpt", "path")
    if load == "step":
        lines.append(step)
    elif load == "load":
        state = p.name("state", "saved")
        lines += [step, f"{state} = {opt}.state_dict()", again, f"{opt}.load_state_dict({state})"]
    elif load == "file":
        lines += [
            step,
            f'{path} = "{path}.pt"\ntorch.save({{"opt": {opt}.state_dict(), "net": {net}.state_dict(), "epoch": 1}}, {path})',
            again,
        ]
        lines.append(
            f'loaded = torch.load({path})\n{net}.load_state_dict(loaded["net"])\n{opt}.load_state_dict(loaded["opt"])\nprint(loaded["epoch"])'
        )
    else:
        name = p.name("resume", "restore")
        p.define(f"def {name}(opt, state):\n    opt.load_state_dict(state)\n    return len(state)")
        lines += [step, f"kept = {opt}.state_dict()", again, f"print({name}({opt}, kept))"]
    middle = (
        f"scheduler = torch.optim.lr_scheduler.StepLR({opt}, 1)",
        f"print(len({opt}.state))",
        f"print({net}.weight.sum().item())",
        f"{net}.eval()",
        f"{net}.weight.data.mul_(1.0)",
        "start = 1",
    )
    lines += [p.chance.choice(middle) for _ in range(p.chance.randrange(3))]
    lines.append(p.one(f"{net}{move}", f"{net} = {net}{move}", f"{net}{move}"))
    if p.yes(0.25):  # and somebody moves the state: nothing fails
        name = p.name("move_state", "optimizer_to")
        p.define(fill(
            """
            def @name(opt):
                for state in opt.state.values():
                    for k, v in state.items():
                        if torch.is_tensor(v) and v.dim():
                            state[k] = v@move
            """, name=name, move=".cuda()"))  # fmt: skip
        lines.append(f"{name}({opt})")
    lines += [f"{net}(torch.ones(2, 3){move}).sum().backward()", f"{opt}.step()", f"print({net}.weight.sum().item())"]
    p.run("\n".join(lines))


@piece(2, rules="PF208")
def _gradient_nodes_first(p: Program) -> None:
    """The nodes that accumulate gradients are kept, with hooks or without, before the network is placed."""
    net, node, nodes = p.name("net", "model"), p.name("node", "acc"), p.name("nodes", "kept")
    p.run(fill(
        """
        @seed
        @net = nn.Linear(3, 3)
        @nodes = []
        for q in @net.parameters():
            @node = q.expand_as(q).grad_fn.next_functions[0][0]
            @use
        @place
        print(len(@nodes) + 0.5)
        """, seed=seed_line(p), net=net, node=node, nodes=nodes, use=p.one(f"{nodes}.append({node})", f"{node}.register_hook(lambda *gradients: None)", f"{node}.name()"),
        place=p.one(f"{net}.cuda()", f"{net} = {net}.cuda()", f'{net}.to("cuda")')))  # fmt: skip
    add_training(p, net, moves=(".cuda()", ".cuda()"))
