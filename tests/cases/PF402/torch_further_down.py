"""torch is imported below, and above all that runs."""
BATCH = 32


def placed(x):
    return x.to("cuda")  # want: PF402


def twice(x):
    return placed(x) + placed(x)


import torch

print(twice(torch.ones(BATCH)).sum().item())
