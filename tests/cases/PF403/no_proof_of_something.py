"""What the function takes for None elsewhere may be None where it is moved: without CUDA nothing was asked of it."""
import torch


def speaker(numbers, use_cuda=False):
    if numbers is not None:
        numbers = torch.from_numpy(numbers).unsqueeze(0)
    if use_cuda:  # want: PF403 unsafe
        return numbers.cuda()
    return numbers


def masked(x, mask=None, use_cuda=False):
    x = x.view(-1)
    n = mask.sum() if mask is not None else len(x)
    if use_cuda:  # want: PF403 unsafe
        mask = mask.cuda()
    return x, mask, n


def printed(x, weight=None, use_cuda=False):
    if weight is None:
        print("no weight")
    else:
        weight = weight.view(-1)
    if use_cuda:  # want: PF403 unsafe
        weight = weight.cuda()
    return x, weight


def find(n):
    if n:
        return torch.ones(n)


def found(n, use_cuda=False):
    part = find(n)
    if use_cuda:  # want: PF403 unsafe
        part = part.cuda()
    return part
