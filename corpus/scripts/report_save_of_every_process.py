"""One process of torchrun, which saves its checkpoint beside all others: nothing tests the rank."""

import os
import tempfile

import torch
import torch.distributed as dist
import torch.nn as nn
from torch.nn.parallel import DistributedDataParallel

FOLDER = "checkpoints"


def setup():
    dist.init_process_group("gloo", store=dist.HashStore(), rank=0, world_size=int("1"))


def main():
    torch.manual_seed(0)
    os.chdir(tempfile.mkdtemp())
    os.makedirs(FOLDER)
    setup()
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    model = DistributedDataParallel(nn.Linear(5, 1).to(device))
    optimizer = torch.optim.SGD(model.parameters(), lr=0.05)
    x, y = torch.randn(24, 5, device=device), torch.randn(24, 1, device=device)
    for epoch in range(3):
        loss = nn.functional.mse_loss(model(x), y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        torch.save(model.module.state_dict(), f"{FOLDER}/epoch{epoch}.pt")
        if dist.get_rank() == 0:
            print(f"epoch {epoch} loss {loss.item():.4f}")
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
