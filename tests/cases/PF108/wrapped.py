# The optimizer has the parameters from before FullyShardedDataParallel, and a function trains with it.
import torch
from torch import nn
from torch.distributed.fsdp import FullyShardedDataParallel as FSDP


def train(model, optimizer, loader):
    for x in loader:
        loss = model(x.cuda()).sum()
        loss.backward()
        optimizer.step()


def main(loader):
    net = nn.Linear(4, 4).cuda()
    optimizer = torch.optim.SGD(net.parameters(), lr=0.1)  # want: PF108 report
    net = FSDP(net, use_orig_params=False)
    train(net, optimizer, loader)
