import os
import torch
import torch.distributed as dist
import torch.nn as nn
from torch.nn.parallel import DistributedDataParallel as DDP

if __name__ == "__main__":
    dist.init_process_group(backend="nccl")
    local_rank = int(os.environ["LOCAL_RANK"])
    model = nn.Linear(6, 2)
    model = model.to(f"cuda:{local_rank}")
    model = DDP(model)  # want: PF101
# machines: 2
# ranks: 2
