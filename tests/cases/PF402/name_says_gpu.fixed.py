# options: unsafe
"""A constant that is called a GPU is more than a place to put things."""
import torch

CPU_DEVICE = torch.device("cpu")
GPU_DEVICE = torch.device("cuda" if torch.cuda.is_available() else "cpu")  # want: PF402 unsafe


def moved(x):
    return x.to(GPU_DEVICE)


print(torch.ones(1).device == CPU_DEVICE)
# run: print(moved(torch.ones(2)).sum().item())
