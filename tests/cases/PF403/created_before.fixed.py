"""What is only moved in the statement below is created where it goes: constants, and tensors of a type by sizes or a list."""
# run: x = torch.ones(2, 3)
# run: one_hot(x, 2); filler(x, 2); labels(x); commented(x); drawn(x); tracked(x); read(x); rows(x); shaped(x, (2, 2)); counted(x, 2); own(x)
import torch


def one_hot(x, n):
    found = torch.zeros(x.size() + (n,), dtype=torch.float32, device=x.device)  # want: PF403
    return found + x.unsqueeze(-1)


def filler(x, n):
    found = torch.zeros(n, x.size(1), device=x.device)  # want: PF403

    return torch.cat([x, found], dim=0)


def labels(x):
    found = torch.ones(3)  # one for each column

    # want: PF403
    found = found.to(x.device)
    return x + found


def counted(x, n):
    found = torch.zeros(n, 3, device=x.device)  # want: PF403
    return x + found


def rows(x):
    found = torch.tensor([1.0, 2.0, 3.0], dtype=torch.float32, device=x.device)  # want: PF403
    return x + found


# These stay where they are and are moved.


def commented(x):
    found = torch.zeros(3)
    # the mask has to be on the GPU
    # want: PF403
    found = found.to(x.device)
    return x + found


def drawn(x):
    found = torch.rand(3)
    # want: PF403
    found = found.to(x.device)
    return (x + found).shape


def tracked(x):
    found = torch.ones(3, requires_grad=True)
    # want: PF403
    found = found.to(x.device)
    return x + found


def read(x):
    found = torch.zeros(3)
    print(found.sum())
    # want: PF403
    found = found.to(x.device)
    return x + found


def shaped(x, size):
    found = torch.FloatTensor(size)
    if x.is_cuda:  # want: PF403 unsafe
        found = found.cuda()
    return (x[:, :2] + found).shape


def own(x):
    found = torch.zeros(3)
    # want: PF403
    other = found.to(x.device)
    return x + other
