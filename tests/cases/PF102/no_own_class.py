import torch
from torch import nn


class DataParallel(nn.Module):
    """Scatters by itself."""

    def __init__(self, module):
        super().__init__()
        self.module = module

    def forward(self, x):
        return self.module(x)


device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
model = DataParallel(nn.Linear(6, 2))
model.to(device)
with torch.no_grad():
    out = model(torch.randn(4, 6).to(device))
print(out.sum().item())
