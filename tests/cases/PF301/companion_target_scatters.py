# options: unsafe
# run: device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
# run: torch.manual_seed(0)
# run: batches = [(torch.ones(2, 3), torch.ones(2, dtype=torch.long))]
# run: print("%.4f" % test(load(torch.nn.Linear(3, 2).to(device)), batches, device))
"""A model that scatters its inputs leaves the targets where they are."""
import torch
import torch.nn.functional as F


def load(net):
    return torch.nn.DataParallel(net)


def test(model, loader, device):
    total = 0
    for x, y in loader:  # want: PF301 unsafe, warning
        x = x.to(device)
        total += F.cross_entropy(model(x), y).item()
    return total
