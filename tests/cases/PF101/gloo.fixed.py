# options: unsafe
import os
import torch
import torch.distributed as dist
import torch.nn as nn
from torch.nn.parallel import DistributedDataParallel as DDP

os.environ.setdefault("MASTER_ADDR", "127.0.0.1")
os.environ.setdefault("MASTER_PORT", "0")
dist.init_process_group("gloo", store=dist.HashStore(), rank=0, world_size=1)
torch.manual_seed(1)
device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
model = nn.Linear(6, 2)
model.to(device)
model = DDP(model)  # want: PF101 unsafe
with torch.no_grad():
    out = model(torch.randn(4, 6).to(device))
print(out.sum().item())
dist.destroy_process_group()
