"""In functions whose callers are not known, a new device is unsafe: the value may meet something whose device is not known there."""
# run: place = "cuda" if torch.cuda.is_available() else "cpu"
# run: net = Net().to(place)
# run: x = torch.ones(2, 3, device=place)
# run: print(net(x).sum().item(), one_hot(torch.tensor([0, 1], device=place), 3).sum().item())
# run: print(scored(net, [1.0, 2.0, 3.0]).sum().item())
import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(3, 3)

    def forward(self, x):
        """It is filled by copies, which come from any device, and handed out."""
        table = torch.zeros(2, 3).cuda()  # want: PF401 unsafe
        for row in range(2):
            table[row] = x[row]
        return table


def one_hot(labels, classes):
    """The labels may be on the CPU: they are an index."""
    rows = torch.eye(classes).cuda()  # want: PF401 unsafe
    return rows[labels]


def scored(net, words):
    """The module's device is not known."""
    return net(torch.tensor(words).cuda())  # want: PF401 unsafe
