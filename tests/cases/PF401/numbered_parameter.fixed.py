# options: unsafe
"""The default of a parameter, and a constant."""
import torch

GPU = 0


def sums(batches, gpu=0):
    found = []
    device = torch.device(f"cuda:{gpu}" if torch.cuda.is_available() else "cpu")
    for batch in batches:
        found.append(batch.to(device).sum().item())  # want: PF401 unsafe
    return found


print(sums([torch.ones(2), torch.ones(3)]))
