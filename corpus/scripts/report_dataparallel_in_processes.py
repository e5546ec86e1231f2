"""Each process of the run wraps its model with DataParallel: the models drift apart."""
import os

import torch
import torch.distributed as dist
import torch.nn as nn


def main():
    if "RANK" not in os.environ:
        print("started by torchrun")
        return
    dist.init_process_group("gloo")
    torch.manual_seed(11)
    model = nn.DataParallel(nn.Sequential(nn.Linear(4, 6), nn.Tanh(), nn.Linear(6, 1)))
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for step in range(3):
        part = torch.randn(8, 4) + dist.get_rank()
        loss = model(part).pow(2).mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
