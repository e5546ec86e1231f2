# options: unsafe
# On some paths a tensor meets another one whose device the function reads.
# given: from drive import device
# run: x = torch.ones(3).to(device)
# run: print(scaled(x, True), scaled(x, False))
import torch


def scaled(x, weighted):
    weights = torch.ones(3, device=x.device)  # want: PF302 unsafe, warning
    mask = torch.ones(3, device=x.device)
    if weighted:
        x = x * weights
    return x, mask
