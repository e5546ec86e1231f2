# options: unsafe
# run: device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
# run: pairs = [(torch.ones(2, 3), torch.zeros(2, 3))]
# run: print("%.4f %.4f" % (distances(pairs, device), overlaps(pairs, device)))
"""The two meet in an operation of torch: it fails wherever the moved one is on a GPU."""
import torch
import torch.nn.functional as F


def distances(pairs, device):
    total = 0
    for left, right in pairs:  # want: PF301 unsafe
        left = left.to(device)
        total += F.mse_loss(left, right).item()
    return total


def overlaps(pairs, device):
    total = 0
    for mask, score in pairs:  # want: PF301 unsafe
        score = score.to(device)
        total += (mask.unsqueeze(0) * score).sum().item()
    return total
