import torch
import torch.distributed as dist
import torch.nn as nn
from torch.nn.parallel import DistributedDataParallel as DDP


def worker(rank, world_size):
    dist.init_process_group("nccl", rank=rank, world_size=world_size)
    torch.cuda.set_device(rank)
    model = nn.Linear(6, 2)
    model = DDP(model, device_ids=[rank])  # want: PF101
    model.cuda(rank)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    return model, optimizer
# machines: 2
# run: import ranks
# run: ranks.run(worker, 2, backend=None)
