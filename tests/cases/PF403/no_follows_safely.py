"""Meetings that prove nothing: in another arm, in a loop that may not run, after a way out, by what takes tensors from anywhere."""
import torch


def another_arm(x, n, wide):
    mask = torch.ones(n)
    if wide:
        if x.is_cuda:  # want: PF403 unsafe
            mask = mask.cuda()
    else:
        x = x * mask
    return x.sum(), mask


def may_not_run(x, n):
    mask = torch.ones(3)
    if x.is_cuda:  # want: PF403 unsafe
        mask = mask.cuda()
    for _ in range(n):
        x = x * mask
    return x.sum(), mask


def way_out(x, early):
    mask = torch.ones(3)
    if x.is_cuda:  # want: PF403 unsafe
        mask = mask.cuda()
    if early:
        return mask
    return x * mask


def anywhere(x):
    mask = torch.ones(3)
    if x.is_cuda:  # want: PF403 unsafe
        mask = mask.cuda()
    x.copy_(mask)
    return mask.type_as(x) * x


def other_x(x, y):
    mask = torch.ones(3)
    if x.is_cuda:  # want: PF403 unsafe
        mask = mask.cuda()
    x = torch.ones(3) * y
    return x * mask


def one_of_them(x, y):
    mask = torch.ones(3)
    if x.sum() > 0:
        y = y * mask
    if x.is_cuda:  # want: PF403 unsafe
        mask = mask.cuda()
    return y.sum(), mask


def packed(sequence, h):
    state = torch.zeros(1, 2, 3)
    if sequence.is_cuda:  # want: PF403 unsafe
        state = state.cuda()
    return h(sequence, state)


def items(batch):
    done = []
    for x in batch:
        y = torch.zeros(2)
        if x.is_cuda:  # want: PF403 unsafe
            y = y.cuda()
        done.append(y)
    return done


def filled(x):
    value = torch.ones([])
    if x.is_cuda:  # want: PF403 unsafe
        value = value.cuda()
    x.fill_(value)
    return x, value


def not_shown(thing):
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    if device.type == "cuda":  # want: PF403 unsafe
        thing.cuda()
    return thing


class Trainer:
    def __init__(self, model, device):
        self.device = torch.device(device)
        self.w = torch.ones(2).to(self.device)

    def other_arm(self, n):
        x = torch.ones(n)
        if self.device.type == "cuda":  # want: PF403 unsafe
            x = x.cuda()
        else:
            x = x * self.w
        return x
