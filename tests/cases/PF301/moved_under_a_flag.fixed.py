# options: unsafe
# run: torch.manual_seed(0)
# run: net = torch.nn.Linear(3, 2)
# run: batches = [(torch.ones(2, 3), torch.ones(2, dtype=torch.long))]
# run: print("%.4f" % fit(net, batches, torch.cuda.is_available()))
"""A flag moves one part of a batch: the other one is moved behind it."""
import torch
import torch.nn.functional as F


def fit(model, loader, use_cuda):
    if use_cuda:
        model.cuda()
    total = 0
    for x, y in loader:  # want: PF301 unsafe, warning
        if use_cuda:
            x = x.cuda(non_blocking=True)
            y = y.cuda(non_blocking=True)
        total += F.cross_entropy(model(x), y).item()
    return total
