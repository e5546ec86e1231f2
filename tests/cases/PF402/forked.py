"""A device that the parent names asks for nothing; to ask would keep forked processes from using CUDA."""
import multiprocessing

import torch

device = torch.device("cuda")  # want: PF402 unsafe


def work(rank):
    return torch.ones(3, device=device).sum().item()


if __name__ == "__main__":
    with multiprocessing.Pool(2) as pool:
        print(pool.map(work, range(2)))
