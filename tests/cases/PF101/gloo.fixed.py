# options: unsafe
import torch
import torch.distributed as dist
import torch.nn as nn
from torch.nn.parallel import DistributedDataParallel as DDP


def worker(rank, world_size):
    dist.init_process_group("gloo", rank=rank, world_size=world_size)
    device = torch.device("cuda", rank) if torch.cuda.is_available() else torch.device("cpu")
    model = nn.Linear(6, 2)
    model.to(device)
    model = DDP(model)  # want: PF101 unsafe
    return model
# machines: 0,2
# run: import ranks
# run: ranks.run(worker, 2, backend=None)
