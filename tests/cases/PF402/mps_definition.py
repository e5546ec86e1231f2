# machines: 0
"""The device has a name already; a comment says timestamps."""
import torch
from torch import nn

device = torch.device('mps')  # want: PF402


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(2, 1)

    def forward(self, x):
        return self.fc(x + torch.ones(2, device="mps"))  # want: PF402


net = Net().to(device)
print(net(torch.ones(1, 2).to(device)))
