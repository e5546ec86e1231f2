# rules: PF401,PF402
"""No new device where a function needs CUDA in another one: a GPU's number by default, an assertion, NCCL, a stream."""
import torch
from torch import nn
from kernels import C


def summed(x):
    assert x.is_cuda and x.dim() == 1
    return C.sum(x)


def sent(x, peer):
    C.ncclSend(x.storage(), peer)


def meta(x, peer):
    for part in x:
        sent(part, peer)


class Sum(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        return summed(x)


class Loss(nn.Module):
    def __init__(self):
        super().__init__()
        self.total = 0

    def forward(self, x):
        return Sum.apply(x)


class Base:
    def put(self, batch, gpu=0):
        return {name: x.to(gpu) for name, x in batch.items()}

    def streamed(self):
        with torch.cuda.stream(torch.cuda.Stream()):
            return torch.zeros(1)


class Predictor(Base):
    def predict(self, batch, net):
        x = torch.relu(batch["x"]).cuda()  # want: PF401 report
        return x, self.put(batch)

    def early(self):
        x = torch.zeros(3, device="cuda")  # want: PF402 report
        return x + self.streamed()


def gathered(x):
    x = torch.relu(x).cuda()  # want: PF401 report
    if x.dim() > 1:
        return summed(x.flatten())
    return x


def piped(x):
    x = torch.relu(x).cuda()  # want: PF401 report
    meta(x, 1)


def applied(x):
    return Sum.apply(torch.relu(x).cuda())  # want: PF401 report


def lossy(x):
    loss = Loss()
    return loss(torch.relu(x).cuda())  # want: PF401 report
