# options: unsafe
"""The default of a parameter, and a constant."""
import torch

GPU = 0


def sums(batches, gpu=0):
    found = []
    for batch in batches:
        found.append(batch.cuda(gpu).sum().item())  # want: PF401 unsafe
    return found


print(sums([torch.ones(2), torch.ones(3)]))
