import torch
import torch.nn as nn
from torch.nn.parallel import DistributedDataParallel as DDP


def worker(rank):
    model = nn.Linear(6, 2)
    model = DDP(model)
    model.to("cpu")
    return model
