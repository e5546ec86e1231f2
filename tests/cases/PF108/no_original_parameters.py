# With use_orig_params the parameters may stay the same objects.
import torch
from torch import nn
from torch.distributed.fsdp import FullyShardedDataParallel


def main(x):
    model = nn.Linear(4, 4).cuda()
    optimizer = torch.optim.AdamW(model.parameters())
    model = FullyShardedDataParallel(model, use_orig_params=True)
    model(x).sum().backward()
    optimizer.step()
