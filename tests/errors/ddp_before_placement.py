# message: ValueError: DistributedDataParallel device_ids and output_device arguments only work with single-device/multiple-device GPU modules or CPU modules, but got device_ids [0], output_device None, and module parameters {device(type='cpu')}.
# rules: PF101
import os

import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel

os.environ.update(MASTER_ADDR="127.0.0.1", MASTER_PORT="0", RANK="0", WORLD_SIZE="1")
store = dist.HashStore()
dist.init_process_group("nccl", store=store, rank=0, world_size=1)
device = torch.device("cuda:0")
model = nn.Linear(4, 2)
model = DistributedDataParallel(model, device_ids=[0])
model.to(device)
model(torch.randn(8, 4).to(device))
dist.destroy_process_group()
