"""Items of a list of objects with a .cuda() of their own; below, a tensor has the same name."""
import torch
from torch import nn


class GraphBatch:
    def __init__(self, x):
        self.x = x

    def cuda(self):
        self.x = self.x.cuda()  # want: PF401 note
        return self


encoder = nn.Linear(3, 3)
encoder.cuda()  # want: PF401 report
for batch in [GraphBatch(torch.ones(2, 3)) for _ in range(2)]:
    batch = batch.cuda()  # want: PF401 report
    print(encoder(batch.x).sum().item() > -100)
batch = torch.ones(4, 3, device="cuda")
print(encoder(batch).sum().item() > -100)
