import torch
import torch.nn as nn
from torch.nn.parallel import DistributedDataParallel as DDP


class Halves(nn.Module):
    def __init__(self):
        super().__init__()
        self.one = nn.Linear(6, 6).to("cuda:0")
        self.two = nn.Linear(6, 2).to("cuda:1")

    def forward(self, x):
        return self.two(self.one(x.to("cuda:0")).to("cuda:1"))


model = DDP(Halves())
model.to("cuda")
