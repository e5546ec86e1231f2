import os

import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP

from data import loaders
from model import Classifier


def main():
    dist.init_process_group("nccl")
    local_rank = int(os.environ["LOCAL_RANK"])
    train_loader, _ = loaders(16)
    model = DDP(Classifier(), device_ids=[local_rank])
    model.cuda(local_rank)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for x, y in train_loader:
        optimizer.zero_grad()
        loss = nn.functional.cross_entropy(model(x), y.cuda(local_rank))
        loss.backward()
        optimizer.step()


if __name__ == "__main__":
    main()
