"""torch is imported below, and above all that runs."""
BATCH = 32


def placed(x):
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    return x.to(device)  # want: PF402


def twice(x):
    return placed(x) + placed(x)


import torch

print(twice(torch.ones(BATCH)).sum().item())
