"""Some way leads to what is not known, and on the CPU nothing was moved."""
import torch
from torch import nn


class Batch:
    def __init__(self, items):
        self.items = items


def make(n, items):
    if n:
        return torch.ones(n)
    return Batch(items)


def find(n, vocabulary):
    if n:
        return vocabulary[n, :]


def parts(n):
    if n:
        return torch.ones(n), n
    return n


def decorated(function):
    return lambda n: Batch(function(n))


@decorated
def wrapped(vocabulary):
    return vocabulary[0, :]


def either(n, items, use_cuda):
    batch = make(n, items)
    if use_cuda:  # want: PF403 unsafe
        batch = batch.cuda()
    return batch


def nothing(n, vocabulary, use_cuda):
    found = find(n, vocabulary)
    if use_cuda:  # want: PF403 unsafe
        found = found.cuda()
    return found


def one_of_two(n, use_cuda):
    found, _ = parts(n)
    if use_cuda:  # want: PF403 unsafe
        found = found.cuda()
    return found


def by_another(vocabulary, use_cuda):
    found = wrapped(vocabulary)
    if use_cuda:  # want: PF403 unsafe
        found = found.cuda()
    return found


def parameter(use_cuda, batch=None):
    if batch is None:
        batch = torch.ones(3)
    if use_cuda:  # want: PF403 unsafe
        batch = batch.cuda()
    return batch


def loop(batches, use_cuda):
    batch = torch.ones(3)
    for batch in batches:
        print("batch")
    if use_cuda:  # want: PF403 unsafe
        batch = batch.cuda()
    return batch


def shadowed(batches, use_cuda):
    batch = torch.ones(3)
    if use_cuda:  # want: PF403 unsafe
        batches = [batch.cuda() for batch in batches]
    else:
        batches = [batch for batch in batches]
    return batch, batches


def shadowed_by_a_lambda(batches, use_cuda):
    batch = torch.ones(3)
    return batch, map((lambda batch: batch.cuda()) if use_cuda else (lambda batch: batch), batches)  # want: PF403 unsafe


def of_any_length(batch, use_cuda):
    some = batch[:3]
    if use_cuda:  # want: PF403 unsafe
        some = some.cuda()
    return some


def made_from(values, batch, use_cuda):
    total = torch.tensor(values.sums) + torch.from_numpy(batch)
    if use_cuda:  # want: PF403 unsafe
        batch = batch.cuda()
    return batch, total


class Agent:
    def __init__(self, use_cuda, shared):
        self.use_cuda = use_cuda
        self.vectors = shared["vectors"]
        self.nets, self.net = shared["nets"]

    def load(self):
        self.vectors = torch.ones(3)
        self.net = nn.Linear(2, 2)

    def place(self):
        if self.use_cuda:  # want: PF403 unsafe
            self.vectors = self.vectors.cuda()

    def place_net(self):
        if self.use_cuda:  # want: PF403 unsafe
            self.net = self.net.cuda()
