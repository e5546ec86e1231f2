"""The device of this rank is made the current one: both spellings name it."""
import torch
from torch import nn


def worker(rank):
    torch.cuda.set_device(rank)
    device = torch.device("cuda", rank)
    model = nn.Linear(4, 1).to(device)
    return model(torch.randn(2, 4).cuda())  # want: PF401


if __name__ == "__main__":
    torch.multiprocessing.spawn(worker, nprocs=2)
# machines: 2
# before: clean: it needs a GPU for each process in any case
