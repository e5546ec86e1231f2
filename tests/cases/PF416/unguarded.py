# Every process saves to one file: in a loop, through a function, under tests that are equal in all processes.
import argparse
import os

import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP

FOLDER = "runs"


def save(model):
    torch.save(model.module.state_dict(), os.path.join(FOLDER, "last.pt"))  # want: PF416 report


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--out", default="out")
    parser.add_argument("--save-every", type=int, default=5)
    args = parser.parse_args()
    dist.init_process_group("gloo")
    model = DDP(nn.Linear(3, 2))
    for epoch in range(10):
        model(torch.ones(2, 3)).mean().backward()
        save(model)
        if epoch % args.save_every == 0:
            torch.save(model.state_dict(), args.out + f"/epoch{epoch}.pt")  # want: PF416 report
    torch.save({"model": model.module.state_dict()}, "model.pt")  # want: PF416 report


if __name__ == "__main__":
    main()
