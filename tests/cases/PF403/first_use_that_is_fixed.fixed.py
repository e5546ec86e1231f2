# rules: PF401,PF403
"""A new device is defined where the fixes need it first, not where a use stands that keeps CUDA and runs without it."""
import torch
from torch import nn


def generated(model: nn.Module, cuda, count):
    try:
        model.cuda()  # want: PF401 report
    except (RuntimeError, AssertionError):
        print("on the CPU")

    device = torch.device("cuda" if cuda else "cpu")
    for index in range(count):
        out = []
        for _ in range(index):
            noise = torch.randn(2, 3)
            # want: PF403
            noise = noise.to(device)
            out.append(noise)
        yield model(torch.cat(out)) if out else None


def in_one_arm(model: nn.Module, cuda, kind):
    try:
        model.cuda()  # want: PF401 report
    except (RuntimeError, AssertionError):
        print("on the CPU")
    rows = torch.ones(2, 3)
    if kind:
        rows = torch.zeros(2, 3)
        print(rows.shape)
        device = torch.device("cuda" if cuda else "cpu")
        # want: PF403
        rows = rows.to(device)
    return rows


def in_both_arms(model: nn.Module, cuda, kind):
    try:
        model.cuda()  # want: PF401 report
    except (RuntimeError, AssertionError):
        print("on the CPU")
    print(kind)
    device = torch.device("cuda" if cuda else "cpu")
    if kind:
        rows = torch.zeros(2, 3)
        # want: PF403
        rows = rows.to(device)
    else:
        rows = torch.ones(2, 3)
        # want: PF403
        rows = rows.to(device)
    return rows


def flag_set_in_the_loop(steps):
    rows = torch.ones(2, 3)
    for step in range(steps):
        use_cuda = torch.cuda.is_available() and step > 0
        print(step)
        device = torch.device("cuda" if use_cuda else "cpu")
        batch = torch.ones(2, 3, device=device)  # want: PF403
        rows = rows + batch.cpu()
    return rows


# run: print(len(list(generated(nn.Linear(3, 1), torch.cuda.is_available(), 2))), in_one_arm(nn.Linear(3, 1), torch.cuda.is_available(), 1))
# run: print(in_both_arms(nn.Linear(3, 1), torch.cuda.is_available(), 0), flag_set_in_the_loop(2))
