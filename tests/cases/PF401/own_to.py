# options: unsafe
"""A module whose own .to() hands on what it is: it is called now, and was not."""
import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(2, 1)
        self.where = torch.device("cpu")

    def to(self, *args, **kwargs):
        self.where = torch.device(args[0])
        return super().to(*args, **kwargs)

    def forward(self, x):
        return self.fc(x)


net = Net().cuda()  # want: PF401 unsafe
print(net(torch.ones(3, 2, device=next(net.parameters()).device)).shape)
