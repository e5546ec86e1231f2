"""What these are called with is moved by somebody: by device_ids that may be given, by the module, by its other methods."""
import torch
from torch import nn
from torch.nn.parallel import DistributedDataParallel
from torch.utils.data import DataLoader, TensorDataset

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
loader = DataLoader(TensorDataset(torch.randn(8, 5), torch.randn(8, 5)), batch_size=4)


class Derived(nn.Module):
    def __init__(self):
        super().__init__()
        self.out = nn.Linear(5, 1)

    def forward(self, x, y):
        inputs = x + y
        inputs = inputs.to(self.out.weight.device)
        return self.out(inputs)


class ByAHelper(nn.Module):
    def __init__(self):
        super().__init__()
        self.out = nn.Linear(5, 1)

    def ready(self, x):
        return x.to(self.out.weight.device)

    def forward(self, x, y):
        return self.out(self.ready(x)) + self.out(self.ready(y))


class Both(nn.Module):
    def __init__(self):
        super().__init__()
        self.out = nn.Linear(5, 1)

    def forward(self, x, y):
        x = x.to(self.out.weight.device)
        y = y.to(x.device)
        return self.out(x + y)


class Copied(nn.Module):
    def __init__(self):
        super().__init__()
        self.out = nn.Linear(5, 1)

    def forward(self, x, y):
        both = torch.stack((x, y))
        both = both.to(self.out.weight.device)
        return self.out(both)


def wrapped(ids, options):
    one = DistributedDataParallel(nn.Linear(5, 1).to(device), device_ids=ids)
    two = DistributedDataParallel(nn.Linear(5, 1).to(device), [0])
    three = DistributedDataParallel(nn.Linear(5, 1).to(device), **options)
    return [net(x) for x, _ in loader for net in (one, two, three)]


def main(ids):
    one = DistributedDataParallel(nn.Linear(5, 1).to(device), device_ids=ids)
    derived, by_a_helper, both, copied = Derived().to(device), ByAHelper().to(device), Both().to(device), Copied().to(device)
    for x, y in loader:
        one(x)
        derived(x, y)
        by_a_helper(x, y)
        both(x, y)
        copied(x, y)


main([0])
