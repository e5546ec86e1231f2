"""Processes that are spawned ask for themselves: the device stands once, at the module level."""
import torch
from torch import multiprocessing as mp
from torch import nn

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")


def work(rank, queue):
    net = nn.Linear(3, 3).to(device)  # want: PF401
    queue.put(net(torch.zeros(3, device=device)).sum().item())  # want: PF401


def other():
    return torch.ones(3, device=device)  # want: PF401


if __name__ == "__main__":
    mp.set_start_method("spawn")
    queue = mp.Queue()
    process = mp.Process(target=work, args=(0, queue))
    process.start()
    process.join()
# not run: another process runs it
