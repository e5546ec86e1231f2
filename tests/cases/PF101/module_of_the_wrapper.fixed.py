import torch.nn as nn
from torch.nn.parallel import DistributedDataParallel as DDP


def worker(rank):
    net = nn.Linear(6, 2)
    net.to(rank)
    ddp = DDP(net, device_ids=[rank])  # want: PF101
    return ddp
# machines: 2
# run: import ranks
# run: ranks.run(worker)
