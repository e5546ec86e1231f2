# rules: all
# options: add-placement
# before: clean: nothing is placed as yet, so nothing meets
"""Noise made in forward follows the input; a straight-line target goes to the device."""
import torch
from torch import nn


class Noisy(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(4, 1)

    def forward(self, x):
        shift = torch.ones(x.size(0), 4)  # want: PF304
        return self.fc(x + shift)


torch.manual_seed(0)
net = Noisy()  # want: PF501
opt = torch.optim.SGD(net.parameters(), lr=0.1)
x = torch.randn(8, 4)
y = torch.randn(8, 1)
for step in range(3):
    loss = nn.functional.mse_loss(net(x), y)
    opt.zero_grad()
    loss.backward()
    opt.step()
    print(step, loss.item())
