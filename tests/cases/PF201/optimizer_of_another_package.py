# options: unsafe
import torch
import torch.nn as nn
from torch_optimizer import Ranger


def build(cfg):
    net = nn.Linear(6, 2)
    optimizer = Ranger(net.parameters(), lr=cfg.lr)  # want: PF201 unsafe
    net.to(cfg.device)
    return net, optimizer
# run: import drive, types
# run: drive.step(build(types.SimpleNamespace(lr=0.1, device=drive.device))[1])
