# One call gives another path in each process, the attribute is the rank's, or is set twice.
import torch
import torch.distributed as dist
from torch import nn


class Trainer:
    def __init__(self, folder):
        self.model = nn.Linear(3, 2)
        self.folder = folder
        self.path = f"net{dist.get_rank()}.pt"
        self.other = "net.pt"

    def run(self):
        dist.init_process_group("gloo")
        self.other = f"{dist.get_rank()}.pt"
        torch.save(self.model.state_dict(), self.path)
        torch.save(self.model.state_dict(), self.other)
        torch.save(self.model.state_dict(), self.folder)


def save(model, path):
    torch.save(model.state_dict(), path)


def rebound(model, path):
    path = path + str(dist.get_rank())
    torch.save(model.state_dict(), path)


def main():
    dist.init_process_group("gloo")
    model = nn.Linear(3, 2)
    save(model, f"net{dist.get_rank()}.pt")
    save(model, "last.pt")
    rebound(model, "net.pt")


if __name__ == "__main__":
    Trainer("out").run()
    main()
