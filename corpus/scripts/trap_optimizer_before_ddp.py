"""Placed, optimised, then wrapped by DDP: the parameters are the same objects."""
import os

import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel


def main():
    os.environ.setdefault("MASTER_ADDR", "127.0.0.1")
    os.environ.setdefault("MASTER_PORT", "29571")
    dist.init_process_group("gloo", rank=int(os.environ.get("RANK", 0)),
                            world_size=int(os.environ.get("WORLD_SIZE", 1)))
    torch.manual_seed(140)
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    model = nn.Linear(5, 1)
    model.to(device)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    scheduler = torch.optim.lr_scheduler.ExponentialLR(optimizer, 0.9)
    model = DistributedDataParallel(model)
    for step in range(3):
        x, y = torch.randn(8, 5).to(device), torch.randn(8, 1).to(device)
        loss = nn.functional.mse_loss(model(x), y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        scheduler.step()
        print(step, round(loss.item(), 5))
    # saved from the wrapped module, on the host
    state = {name: value.cpu() for name, value in model.module.state_dict().items()}
    print(sorted(state))
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
