"""A script that runs its own modules and says nothing of devices: nothing fails there."""
import torch
from torch import nn


class Noisy(nn.Module):
    def __init__(self):
        super().__init__()
        self.lin = nn.Linear(3, 3)

    def forward(self, x):
        mask = torch.ones(3, 3, device=x.device)  # want: PF304 warning
        return self.lin(x) + mask.to(torch.float)


net = Noisy()
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
for _ in range(2):
    net(torch.ones(3, 3)).sum().backward()
    optimizer.step()
# before: clean: nothing of it is placed
