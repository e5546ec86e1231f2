# message: ValueError: device_ids can only be None or contain a single element.
# rules: PF105
# fix: none
import os

import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel

os.environ.update(MASTER_ADDR="127.0.0.1", MASTER_PORT="0", RANK="0", WORLD_SIZE="1")
store = dist.HashStore()
dist.init_process_group("nccl", store=store, rank=0, world_size=1)
model = nn.Linear(4, 2).to("cuda:0")
model = DistributedDataParallel(model, device_ids=[0, 1])
print(model(torch.randn(8, 4)).sum().item())
dist.destroy_process_group()
