# Placed on one path only, moved back, of a class that is no module, or compared by code that returns nothing; lengths are no second tensor of a criterion.
import torch
from torch import nn
import torch.nn.functional as F
from elsewhere import build, compare

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
known = nn.Linear(3, 2).to(device)


class Plain:
    def to(self, device):
        return self

    def __call__(self, x):
        return x.cpu()


class Trainer:
    def __init__(self, plain, other, criterion, fast):
        self.net = build()
        if fast:
            self.net.to(device)
        self.back = build().to(device)
        self.back.cpu()
        self.criterion = criterion
        self.other = other

    def sometimes(self, x):
        return F.mse_loss(self.net(x), torch.ones(4, 2))

    def moved_back(self, x):
        return F.mse_loss(self.back(x), torch.ones(4, 2))

    def replaced(self, x):
        self.other.to(device)
        self.other = build()
        return F.mse_loss(self.other(x), torch.ones(4, 2))

    def logged(self, x):
        self.criterion(known(x.to(device)), torch.ones(4, 2))

    def imported(self, x):
        return compare(known(x.to(device)), torch.ones(4, 2))

    def inputs(self, x):
        return self.criterion(x.to(device), torch.ones(4, 2))

    def third(self, x, y):
        out = known(x.to(device))
        return self.criterion(out, out, torch.ones(4, 2))

    def there(self, x):
        return self.criterion(known(x.to(device)), torch.ones(4, 2, device=device))


def plain(x):
    net = Plain().to(device)
    return F.mse_loss(net(x), torch.ones(4, 2))


def fed(net):
    net.to(device)
    return net(torch.ones(4, 2))
