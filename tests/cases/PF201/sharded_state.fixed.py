import torch
import torch.nn as nn
from torch.distributed.optim import ZeroRedundancyOptimizer
from torch.nn.parallel import DistributedDataParallel as DDP


def worker(rank):
    model = nn.Linear(6, 2)
    model.to(rank)
    ddp = DDP(model, device_ids=[rank])
    optimizer = ZeroRedundancyOptimizer(model.parameters(), optimizer_class=torch.optim.Adam, lr=0.01)  # want: PF201
    return ddp, optimizer
# machines: 2
# run: import ranks
# run: ranks.run(worker)
