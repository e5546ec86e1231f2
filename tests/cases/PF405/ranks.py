# Every process of the run loads the checkpoint; under a test of the rank only the first does.
# ranks: 2
# machines: 2
# before: clean: it loads on the machine on which it has saved
# run: import os; torch.save(nn.Linear(3, 2).state_dict(), f"net{os.getpid()}.pt"); main(f"net{os.getpid()}.pt", "cpu")
import torch
import torch.distributed as dist
from torch import nn


def main(path, device):
    dist.init_process_group("gloo")
    model = nn.Linear(3, 2).to(device)
    model.load_state_dict(torch.load(path))  # want: PF405
    if dist.get_rank() == 0:
        model.load_state_dict(torch.load(path))  # want: PF405
