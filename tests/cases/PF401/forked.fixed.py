"""To ask for CUDA in the parent keeps processes that are forked from it from using CUDA: each function asks for itself."""
import torch
from torch import multiprocessing as mp
from torch import nn


def work(rank, queue):
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    net = nn.Linear(3, 3).to(device)  # want: PF401
    queue.put(net(torch.zeros(3, device=device)).sum().item())  # want: PF401


def other():
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    return torch.ones(3, device=device)  # want: PF401


if __name__ == "__main__":
    queue = mp.Queue()
    processes = [mp.Process(target=work, args=(rank, queue)) for rank in range(2)]
    for process in processes:
        process.start()
    for process in processes:
        process.join()
# not run: another process runs it
