# options: unsafe
# run: device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
# run: print("%.4f" % energies([(torch.ones(2, 3), torch.zeros(2))], device))
"""A part of the batch is an operand of a function of torch that takes no number."""
import torch


def energies(batches, device):
    total = 0
    for x, y in batches:  # want: PF301 unsafe
        x = x.to(device)
        y = y.to(device)
        out = x.sum(1)
        total += ((1 + torch.exp(y)) * out).sum().item()
    return total
