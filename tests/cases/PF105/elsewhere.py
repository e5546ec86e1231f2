# The module is on another GPU than the one of device_ids.
import torch
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP


def main(x):
    model = DDP(nn.Linear(3, 2).to("cuda:1"), device_ids=[0])  # want: PF105 report
    return model(x)
