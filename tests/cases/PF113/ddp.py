# A parameter of the module inside DistributedDataParallel.
# ranks: 2
# machines: 0,2
# given: import os, torch.distributed as dist
# given: dist.init_process_group("gloo")
# run: train()
# fails: object has no attribute
import torch
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(4, 2)

    def forward(self, x):
        return self.fc(x)


def train():
    device = torch.device("cuda", dist.get_rank()) if torch.cuda.is_available() else torch.device("cpu")
    model = DDP(Net().to(device))
    print(model.fc.weight.shape)  # want: PF113
