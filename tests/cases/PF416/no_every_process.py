# A test around the save, or around the call of the function with it, may be about the rank; or there is no group.
import os

import torch
import torch.distributed as dist
from torch import nn


def is_main():
    return int(os.environ["RANK"]) == 0


def only_first(function):
    return function if is_main() else lambda *given: None


@only_first
def decorated(state):
    torch.save(state, "decorated.pt")


def guarded(state):
    torch.save(state, "guarded.pt")


def handed(state):
    torch.save(state, "handed.pt")


def left(state):
    if not is_main():
        return
    torch.save(state, "left.pt")


def main(args, best, run):
    dist.init_process_group("gloo")
    state = nn.Linear(3, 2).state_dict()
    decorated(state)
    left(state)
    if dist.get_rank() == 0:
        guarded(state)
        torch.save(state, "first.pt")
    if args.chief:
        torch.save(state, "chief.pt")
    if best > run():
        torch.save(state, "best.pt")
    (is_main() and handed)(state)
    for epoch in range(3):
        if not is_main():
            continue
        torch.save(state, f"{epoch}.pt")
    dist.destroy_process_group()
    torch.save(state, "after.pt")


def sometimes(args):
    if args.distributed:
        dist.init_process_group("gloo")
    torch.save(nn.Linear(3, 2).state_dict(), "sometimes.pt")


def one():
    dist.init_process_group("gloo", rank=0, world_size=1)
    torch.save(nn.Linear(3, 2).state_dict(), "one.pt")


if __name__ == "__main__":
    main(None, 1.0, float)
