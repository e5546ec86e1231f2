# rules: PF301, PF302, PF303
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(0)
device = torch.device("cuda" if torch.cuda.is_available() else "cpu")


def move(*tensors):
    return [t.to(device) for t in tensors]


def noise(n):
    return torch.randn(n, 4).to(device)


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.lin = nn.Linear(4, 3)

    def forward(self, x):
        x = x.to(self.lin.weight.device)
        return self.lin(x)


model = nn.Linear(4, 3).to(device)
x, y = torch.randn(2, 4), torch.randn(2, 3)
x, y = move(x, y)
print((model(x) - y).shape, model(noise(3)).shape)
print(Net().to(device)(torch.randn(2, 4)).shape)
