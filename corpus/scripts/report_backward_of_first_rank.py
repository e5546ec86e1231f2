"""One process of torchrun; the backward pass slipped under the test of the rank when the progress line was added."""

import torch
import torch.distributed as dist
import torch.nn as nn
from torch.nn.parallel import DistributedDataParallel


def setup():
    dist.init_process_group("gloo", store=dist.HashStore(), rank=0, world_size=int("1"))
    return dist.get_rank()


def main():
    torch.manual_seed(0)
    rank = setup()
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    model = DistributedDataParallel(nn.Linear(5, 1).to(device))
    optimizer = torch.optim.SGD(model.parameters(), lr=0.05)
    x, y = torch.randn(24, 5, device=device), torch.randn(24, 1, device=device)
    for epoch in range(3):
        loss = nn.functional.mse_loss(model(x), y)
        optimizer.zero_grad()
        if rank == 0:
            loss.backward()
            print(f"epoch {epoch} loss {loss.item():.4f}")
        optimizer.step()
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
