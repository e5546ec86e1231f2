# A module whose layers are all in parts of other classes of the file.
import torch
from torch import nn

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")


class Block(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(3, 3)

    def forward(self, x):
        return torch.relu(self.fc(x))


class Pair(nn.Module):
    def __init__(self):
        super().__init__()
        self.first = Block()
        self.second = Block()

    def forward(self, x):
        return self.second(self.first(x))


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.pairs = nn.ModuleList([Pair() for _ in range(2)])

    def forward(self, x):
        for pair in self.pairs:
            x = pair(x)
        return x


torch.manual_seed(0)
net = Net().to(device)  # want: PF112
x = torch.ones(2, 3).to(device)
print(net(x).sum())
