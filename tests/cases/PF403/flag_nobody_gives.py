"""The caller may have placed what it hands over, where it did not speak of the flag."""
import torch
import torch.nn as nn


class Scorer(nn.Module):
    def __init__(self, use_cuda=False):
        super().__init__()
        self.use_cuda = use_cuda
        self.fc = nn.Linear(2, 2)

    def forward(self, x):
        if self.use_cuda:  # want: PF403 unsafe
            x = x.cuda()
        return self.fc(x)


def accuracy(output, target, cuda=False):
    if cuda:  # want: PF403 unsafe
        target = target.cuda()
    return (output.max(1)[1] == target.view(-1)).float().mean()


def both(pair, use_gpu=None):
    x, y = pair
    if use_gpu:  # want: PF403 unsafe
        x, y = x.cuda(), y.cuda()
    return x.view(-1) + y.view(-1)


def two(x, y, use_cuda=False):
    if use_cuda:  # want: PF403 unsafe
        x, y = x.cuda(), y.cuda()
    return x.view(-1) + y.view(-1)


class Samples:
    def __init__(self, samples, use_gpu=False):
        self.samples = samples
        if use_gpu:  # want: PF403 unsafe
            self.samples = self.samples.cuda()

    def __len__(self):
        return self.samples.size(0)


# run: print(len(Samples(torch.ones(2))))
# run: print(Scorer()(torch.ones(1, 2)).shape, both((torch.ones(2), torch.ones(2))), two(torch.ones(2), torch.ones(2)))
# run: print(accuracy(torch.eye(3), torch.zeros(3).long()))
