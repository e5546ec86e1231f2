# The state of the model is loaded into the wrapper.
import os

import torch
from torch import nn
from torch.nn.parallel import DistributedDataParallel


def save(folder):
    model = nn.Linear(3, 2)
    torch.save(model.state_dict(), os.path.join("runs", "net.pt"))  # want: PF411 report


def resume(rank):
    model = DistributedDataParallel(nn.Linear(3, 2).to(rank), device_ids=[rank])
    model.load_state_dict(torch.load(os.path.join("runs", "net.pt")))
