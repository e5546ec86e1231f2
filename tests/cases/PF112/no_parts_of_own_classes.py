# Modules whose parts have no parameters, or choose the device of theirs.
import torch
from torch import nn

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")


class Swish(nn.Module):
    def forward(self, x):
        return x * torch.sigmoid(x)


class Placed(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(3, 3, device=device)

    def forward(self, x):
        return self.fc(x)


class Net(nn.Module):
    def __init__(self, part):
        super().__init__()
        self.scale = Swish()
        self.part = part

    def forward(self, x):
        return self.scale(self.part(x))


class Twice(nn.Module):
    def __init__(self):
        super().__init__()
        self.swish = Swish()
        self.placed = Placed()

    def forward(self, x):
        return self.placed(self.swish(x))


torch.manual_seed(0)
x = torch.ones(2, 3).to(device)
print(Net(Swish())(x).sum(), Net(Placed())(x).sum(), Twice()(x).sum())
