# options: unsafe
import torch
from torch import nn


class Drop(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(4, 4)

    def forward(self, x):
        y = self.fc(x)
        mask = torch.ones(x.size(0), 4)  # want: PF304 unsafe
        if self.training:
            y = y * mask
        return y, mask


device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
torch.manual_seed(1)
net = Drop().to(device)
x = torch.randn(2, 4).to(device)
print(f"{net(x)[0].sum().item():.4f}")
