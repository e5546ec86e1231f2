# rules: all
# options: add-placement
"""The module keeps a tensor that would stay behind: only as a buffer does it move."""
import torch
from torch import nn


class Scaled(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(4, 1)
        self.scale = torch.arange(4.0)  # want: PF305 unsafe

    def forward(self, x):
        return self.fc(x * self.scale)


net = Scaled()  # want: PF501 unsafe
opt = torch.optim.SGD(net.parameters(), lr=0.1)
x = torch.randn(8, 4)
loss = net(x).sum()
loss.backward()
opt.step()
