# The path is an argument that all calls give the same value, or an attribute of a literal.
import os

import torch
import torch.distributed as dist
from torch import nn


class Trainer:
    def __init__(self):
        self.model = nn.Linear(3, 2)
        self.path = os.path.join("out", "net.pt")

    def run(self):
        dist.init_process_group("gloo")
        torch.save(self.model.state_dict(), self.path)  # want: PF416 report


def save(model, path):
    torch.save(model.state_dict(), path)  # want: PF416 report


def whole(folder):
    dist.init_process_group("gloo")
    torch.save(nn.Linear(3, 2).state_dict(), os.path.join(folder, "net.pt"))  # want: PF416 report


def main():
    dist.init_process_group("gloo")
    model = nn.Linear(3, 2)
    for epoch in range(3):
        save(model, f"net{epoch}.pt")
    save(model, path="last.pt")


if __name__ == "__main__":
    Trainer().run()
    whole("out")
    main()
