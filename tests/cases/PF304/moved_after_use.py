import torch
from torch import nn


class Mixer(nn.Module):
    def __init__(self, device):
        super().__init__()
        self.fc = nn.Linear(8, 8)
        self.target = device

    def forward(self, x):
        x = self.fc(x)
        scale = torch.ones(8).mul(x).float().to(self.target)  # want: PF304
        shift = torch.zeros(8).float().to(self.target)
        other = torch.zeros((2, 8), device=self.target)
        return x * scale + shift + other


device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
torch.manual_seed(1)
net = Mixer(device).to(device)
print(f"{net(torch.ones(2, 8).to(device)).sum().item():.4f}")
