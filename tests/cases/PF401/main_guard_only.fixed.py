"""A module whose demonstration alone uses the GPU."""
import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = nn.Linear(2, 2)

    def forward(self, x):
        return self.layer(x)


if __name__ == "__main__":
    x = torch.ones(1, 2)
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    net = Net().to(device)  # want: PF401
    print(net(x.to(device)))  # want: PF401
