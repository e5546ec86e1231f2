"""Classes with a .cuda() and .to() of their own that work in place and return nothing."""
import torch
from torch import nn


class Batch(object):
    """A bag of tensors, moved in place."""

    def __init__(self, src, trg):
        self.src = src
        self.trg = trg

    def cuda(self):
        if torch.cuda.is_available():
            self.src = self.src.to("cuda:0")
            self.trg = self.trg.to("cuda:0")

    def to(self, device):
        self.src = self.src.to(device)
        self.trg = self.trg.to(device)


def batches(n):
    for _ in range(n):
        yield Batch(torch.randn(4, 5), torch.randn(4, 1))


torch.manual_seed(111)
device = torch.device("cuda:0" if torch.cuda.is_available() else "cpu")
model = nn.Linear(5, 1).to(device)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for i, batch in enumerate(batches(6)):
    if i % 2:
        batch.to(device)
    else:
        batch.cuda()
    loss = nn.functional.mse_loss(model(batch.src), batch.trg)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    print(i, round(loss.item(), 5))
