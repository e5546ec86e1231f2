import numpy as np
import torch
from torch import nn


class Scale(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(3, 3)

    def forward(self, x):
        weights = (
            torch.from_numpy(np.linspace(0.0, 1.0, 3)).float().unsqueeze(0).to(x.device)
        )  # want: PF304
        pad = torch.FloatTensor(x.size(0), 1).fill_(1.0).to(x.device)  # want: PF304
        return torch.cat([self.fc(x * weights), pad], dim=1)


device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
torch.manual_seed(1)
net = Scale().to(device)
x = torch.randn(5, 3).to(device)
print(f"{net(x).sum().item():.4f}")
