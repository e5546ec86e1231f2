# options: unsafe
"""No line of the first arm of the flag moves a part of the batch."""
import torch.nn.functional as F


def rest(model, loader, use_cuda):
    if use_cuda:
        model.cuda()
    total = 0
    for x, y in loader:  # want: PF301 report, warning
        if not use_cuda:
            x = x.float()
        else:
            x = x.cuda()
        total += F.cross_entropy(model(x), y).item()
    return total
