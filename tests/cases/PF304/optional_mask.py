import torch
from torch import nn


class Block(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(4, 4)

    def forward(self, x, mask=None):
        y = self.fc(x)
        if mask is None:
            mask = torch.ones(x.size(0), 1)  # want: PF304
        return y * mask


device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
torch.manual_seed(1)
net = Block().to(device)
x = torch.randn(2, 4).to(device)
print(f"{net(x).sum().item():.4f}")
