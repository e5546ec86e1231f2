"""In functions whose callers are not known, a value takes the device of a tensor, or of a layer of the module, that it meets."""
# run: place = "cuda" if torch.cuda.is_available() else "cpu"
# run: net = Net().to(place)
# run: x = torch.ones(2, 3, device=place)
# run: print(net(x).sum().item(), net.padded(x).sum().item(), net.drawn(4).shape, net.twice([x, x]).sum().item())
# run: print(weighed(torch.ones(2, 3), torch.ones(2, 3)).sum().item(), apart(3).sum().item(), model().training)
# run: print(sampled(torch.ones(1, 1, 4, 4, device=place), torch.zeros(1, 2, 2, 2, device=place)).shape)
import torch
import torch.nn.functional as F
from torch import nn


class Head(nn.Module):
    def forward(self, x, mask):
        return x * mask


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.connector = nn.Linear(3, 3)
        self.fc = nn.Linear(3, 3)
        self.head = Head()

    def forward(self, x):
        """The name is bound again; its value there comes out of a layer."""
        rows = torch.relu(x)
        rows = self.connector(rows)
        mask = 1.0 - torch.ones(rows.shape[0], 3)
        return self.head(rows, mask.to(rows.device))  # want: PF401

    def padded(self, x):
        """The order of the two operands does not matter."""
        state = self.fc(x)
        ones = torch.ones(3, device=x.device)  # want: PF401
        return ones + state

    def drawn(self, count):
        """There is no tensor, but a layer."""
        z = torch.randn(count, 3).to(self.fc.weight.device)  # want: PF401
        return self.fc(z)

    def twice(self, parts):
        """Both are made for the layer."""
        first = torch.ones(2, 3, device=self.fc.weight.device)  # want: PF401
        out = self.fc(first)
        for part in parts:
            out = out + self.fc(part)
        return out


def sampled(image, grid):
    """The sizes are unpacked, and so is a shape."""
    feat = F.avg_pool2d(image, 2)
    feat = F.conv2d(feat, feat)
    b, c, h, w = feat.shape
    base = make(h, w).to(feat.device).reshape(1, 1, *feat.shape[-2:])  # want: PF401
    return F.grid_sample(feat, grid) + F.grid_sample(base, grid)


def make(h, w):
    return torch.ones(h * w)


def weighed(x, weight):
    """Both are moved here."""
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    scale = torch.relu(weight).to(device)  # want: PF401
    return torch.relu(x).to(device) * scale  # want: PF401


def apart(count):
    """It meets nothing from elsewhere."""
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    ones = torch.ones(count, device=device)  # want: PF401
    return ones + torch.zeros(count, device=device)  # want: PF401


def model():
    """A module is moved as a whole."""
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    net = nn.Linear(3, 3).to(device)  # want: PF401
    return net
