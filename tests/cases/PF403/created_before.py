"""What is only moved in the statement below is created where it goes: constants, and tensors of a type by sizes or a list."""
# run: x = torch.ones(2, 3)
# run: one_hot(x, 2); filler(x, 2); labels(x); commented(x); drawn(x); tracked(x); read(x); rows(x); shaped(x, (2, 2)); counted(x, 2); own(x)
import torch


def one_hot(x, n):
    found = torch.FloatTensor(x.size() + (n,)).zero_()
    if x.is_cuda:  # want: PF403
        found = found.cuda()
    return found + x.unsqueeze(-1)


def filler(x, n):
    found = torch.zeros(n, x.size(1))
    if x.is_cuda:  # want: PF403
        found = found.cuda()

    return torch.cat([x, found], dim=0)


def labels(x):
    found = torch.ones(3)  # one for each column

    if x.device.type == "cuda":  # want: PF403
        found = found.cuda(x.device.index)
    return x + found


def counted(x, n):
    found = torch.empty(n, 3).fill_(0)
    if x.is_cuda:  # want: PF403
        found = found.cuda()
    return x + found


def rows(x):
    found = torch.FloatTensor([1.0, 2.0, 3.0])
    if x.is_cuda:  # want: PF403
        found = found.cuda()
    return x + found


# These stay where they are and are moved.


def commented(x):
    found = torch.zeros(3)
    # the mask has to be on the GPU
    if x.is_cuda:  # want: PF403
        found = found.cuda()
    return x + found


def drawn(x):
    found = torch.rand(3)
    if x.is_cuda:  # want: PF403
        found = found.cuda()
    return (x + found).shape


def tracked(x):
    found = torch.ones(3, requires_grad=True)
    if x.is_cuda:  # want: PF403
        found = found.cuda()
    return x + found


def read(x):
    found = torch.zeros(3)
    print(found.sum())
    if x.is_cuda:  # want: PF403
        found = found.cuda()
    return x + found


def shaped(x, size):
    found = torch.FloatTensor(size)
    if x.is_cuda:  # want: PF403 unsafe
        found = found.cuda()
    return (x[:, :2] + found).shape


def own(x):
    found = torch.zeros(3)
    if x.is_cuda:  # want: PF403
        other = found.cuda()
    else:
        other = found
    return x + other
