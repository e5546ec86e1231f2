# Process 0 calls a function that always comes to a collective.
import torch
import torch.distributed as dist


def mean(value):
    dist.all_reduce(value)
    value /= dist.get_world_size()


def evaluate(model, loader):
    total = torch.zeros(1)
    for x in loader:
        total += model(x).sum()
    mean(total)
    print(total.item())


def main(model, loader):
    if dist.get_rank() == 0:
        evaluate(model, loader)  # want: PF415 report
