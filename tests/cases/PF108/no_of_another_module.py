# The optimizer is of another module, is built again, or steps before the module is sharded only.
import torch
from torch import nn
from torch.distributed.fsdp import fully_shard


def another(x):
    model, head = nn.Linear(4, 4).cuda(), nn.Linear(4, 2).cuda()
    optimizer = torch.optim.AdamW(head.parameters())
    fully_shard(model)
    head(model(x)).sum().backward()
    optimizer.step()


def again(x):
    model = nn.Linear(4, 4).cuda()
    optimizer = torch.optim.AdamW(model.parameters())
    model(x).sum().backward()
    optimizer.step()
    fully_shard(model)
    optimizer = torch.optim.AdamW(model.parameters())
    model(x).sum().backward()
    optimizer.step()
