import torch.distributed as dist
import torch.nn as nn
from torch.nn.parallel import DistributedDataParallel as DDP


def worker(rank):
    model = nn.Linear(6, 2)
    model.to(rank)
    model = DDP(model, device_ids=[rank])  # want: PF101
    dist.barrier()
    return model
# machines: 2
# run: import ranks
# run: ranks.run(worker)
