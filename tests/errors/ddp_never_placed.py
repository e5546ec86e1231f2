# message: ValueError: DistributedDataParallel device_ids and output_device arguments only work with single-device/multiple-device GPU modules or CPU modules, but got device_ids [0], output_device None, and module parameters {device(type='cpu')}.
# rules: PF105
import os

import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel

os.environ.update(MASTER_ADDR="127.0.0.1", MASTER_PORT="0", RANK="0", WORLD_SIZE="1")
store = dist.HashStore()
local_rank = 0
torch.cuda.set_device(local_rank)
dist.init_process_group("nccl", store=store, rank=0, world_size=1)
model = DistributedDataParallel(nn.Linear(4, 2), device_ids=[local_rank])
print(model(torch.randn(8, 4)).sum().item())
dist.destroy_process_group()
