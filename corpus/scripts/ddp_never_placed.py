"""One process of torchrun that selects its GPU, and wraps a model that nothing has put there."""

import os

import torch
import torch.distributed as dist
import torch.nn as nn
from torch.nn.parallel import DistributedDataParallel


class Regressor(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.inner = nn.Linear(5, width)
        self.outer = nn.Linear(width, 1)

    def forward(self, x):
        return self.outer(self.inner(x).relu())


def main():
    torch.manual_seed(0)
    local_rank = int(os.environ.get("LOCAL_RANK", 0))
    torch.cuda.set_device(local_rank)
    dist.init_process_group("nccl", store=dist.HashStore(), rank=0, world_size=1)
    model = DistributedDataParallel(Regressor(8), device_ids=[local_rank], output_device=local_rank)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.05)
    x, y = torch.randn(24, 5), torch.randn(24, 1).to(local_rank)
    for epoch in range(3):
        loss = nn.functional.mse_loss(model(x), y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        print(f"epoch {epoch} loss {loss.item():.4f}")
    dist.destroy_process_group()


if __name__ == "__main__":
    if torch.cuda.is_available():
        main()
    else:
        print("no GPU on this machine")
