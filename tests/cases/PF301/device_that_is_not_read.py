# options: unsafe
# run: torch.manual_seed(0)
# run: device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
# run: net = placed(torch.nn.Linear(3, 1), device)
# run: print("%.4f" % sum(reduced([torch.ones(3), torch.ones(3)], net, device)))
"""The function gets a device and does not read it."""
import torch
from torch.utils.data import DataLoader


def reduced(rows, net, device):
    parts = []
    with torch.no_grad():
        for x in DataLoader(rows, batch_size=2):
            x = x.float()
            parts.append(net(x).sum().item())  # want: PF301 unsafe, warning
    return parts


def placed(net, device):
    return net.to(device)
