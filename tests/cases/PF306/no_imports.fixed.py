# options: unsafe
"""A pasted class without its imports: nn is torch.nn, as everybody imports it."""


class Net(nn.Module):
    def __init__(self, n):
        super(Net, self).__init__()
        self.layers = nn.ModuleList([nn.Linear(3, 3) for _ in range(n)])  # want: PF306 unsafe
        self.out = nn.Linear(3, 2)

    def forward(self, x):
        for layer in self.layers:
            x = F.relu(layer(x))
        return self.out(x)
# given: import torch
# given: from torch import nn
# given: import torch.nn.functional as F
# run: from drive import device
# run: torch.manual_seed(0)
# run: net = Net(2).to(device)
# run: print(round(net(torch.ones(2, 3, device=device)).sum().item(), 4))
