# options: unsafe
"""It is asked whether there is something, and where it is moved there is."""
import torch


def hidden(x, state=None, *, use_cuda):
    if state is None:
        state = torch.zeros(3)
    device = torch.device("cuda" if use_cuda else "cpu")
    # want: PF403 unsafe
    state = state.to(device)
    return x, state.view(-1)


def leaves(numbers, use_cuda=False):
    if numbers is None:
        return None
    numbers = torch.from_numpy(numbers)
    device = torch.device("cuda" if use_cuda else "cpu")
    # want: PF403
    numbers = numbers.to(device)
    return numbers


def inside(mask, use_cuda):
    if mask is not None:
        mask = mask.view(-1)
        device = torch.device("cuda" if use_cuda else "cpu")
        # want: PF403 unsafe
        mask = mask.to(device)
    return mask


def both(mask, use_cuda):
    if mask is not None and len(mask) > 1:
        mask = mask.view(-1)
        device = torch.device("cuda" if use_cuda else "cpu")
        # want: PF403 unsafe
        mask = mask.to(device)
    return mask


def asserted(mask, use_cuda):
    assert mask is not None
    mask = mask.view(-1)
    device = torch.device("cuda" if use_cuda else "cpu")
    # want: PF403 unsafe
    mask = mask.to(device)
    return mask


def or_new(mask, use_cuda=False):
    mask = mask if mask is not None else torch.ones(3)
    device = torch.device("cuda" if use_cuda else "cpu")
    # want: PF403 unsafe
    mask = mask.to(device)
    return mask.view(-1)


def find(n):
    if n:
        return torch.ones(n)


def found(n, use_cuda=False):
    part = find(n)
    if part is None:
        return n
    device = torch.device("cuda" if use_cuda else "cpu")
    # want: PF403
    part = part.to(device)
    return part


# run: print(found(0, torch.cuda.is_available()), found(3, torch.cuda.is_available()).sum().item())
# run: import numpy
# run: cuda = torch.cuda.is_available()
# run: print(hidden(1, use_cuda=cuda)[1].sum().item(), leaves(None, cuda), leaves(numpy.ones(2), cuda).sum().item())
# run: print([f(None, cuda) for f in (inside, both)], or_new(None, cuda).sum().item())
# run: print([f(torch.ones(2), cuda).sum().item() for f in (inside, both, asserted, or_new)])
