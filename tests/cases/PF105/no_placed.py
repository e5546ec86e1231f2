# The module is on the GPU of its process, before the wrap or on some path; PF101 finds one that is placed after it.
import torch
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP


def placed(rank, x):
    model = DDP(nn.Linear(3, 2).to(rank), device_ids=[rank])
    return model(x)


def current(rank, x):
    torch.cuda.set_device(rank)
    model = nn.Linear(3, 2).cuda()
    model = DDP(model, device_ids=[rank], output_device=rank)
    return model(x)


def later(rank, x):
    model = DDP(nn.Linear(3, 2), device_ids=[rank])
    model.to(rank)
    return model(x)


def numbered(x):
    return DDP(nn.Linear(3, 2).cuda(0), device_ids=[0])(x)
