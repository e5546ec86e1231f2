"""A process of torchrun, or the only one: the data and the wrapper follow LOCAL_RANK, the model does not."""

import os

import torch
import torch.distributed as dist
import torch.nn as nn
from torch.nn.parallel import DistributedDataParallel


def main():
    torch.manual_seed(0)
    dist.init_process_group("nccl")
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    model = nn.Sequential(nn.Linear(5, 8), nn.ReLU(), nn.Linear(8, 1)).to(device)
    local_rank = int(os.environ["LOCAL_RANK"])
    model = DistributedDataParallel(model, device_ids=[local_rank])
    optimizer = torch.optim.SGD(model.parameters(), lr=0.05)
    x, y = torch.randn(24, 5, device=device), torch.randn(24, 1, device=device)
    for epoch in range(3):
        loss = nn.functional.mse_loss(model(x), y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        print(f"epoch {epoch} loss {loss.item():.4f}")
    dist.destroy_process_group()


if __name__ == "__main__":
    if torch.cuda.is_available():
        torchrun = {"RANK": "0", "LOCAL_RANK": "0", "WORLD_SIZE": "1", "MASTER_ADDR": "127.0.0.1", "MASTER_PORT": "29641"}
        for name, value in torchrun.items():
            os.environ.setdefault(name, value)
        main()
    else:
        print("no GPU on this machine")
