"""The model goes to the CPU for each checkpoint, and comes back: DDP's hooks do not."""
import io
import os

import torch
import torch.distributed as dist
import torch.nn as nn
from torch.nn.parallel import DistributedDataParallel


def main():
    if "RANK" not in os.environ or not torch.cuda.is_available():
        print("started by torchrun, on CUDA devices")
        return
    dist.init_process_group("nccl")
    local_rank = int(os.environ["LOCAL_RANK"])
    torch.cuda.set_device(local_rank)
    torch.manual_seed(37)
    model = nn.Sequential(nn.Linear(4, 6), nn.Tanh(), nn.Linear(6, 1)).to(local_rank)
    model = DistributedDataParallel(model, device_ids=[local_rank])
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for epoch in range(4):
        batch = torch.randn(8, 4, device=local_rank)
        loss = model(batch).pow(2).mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        model.cpu()
        torch.save(model.module.state_dict(), io.BytesIO())
        model.to(local_rank)


if __name__ == "__main__":
    main()
