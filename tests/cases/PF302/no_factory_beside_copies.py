"""Factories whose results meet copies on the CPU alone, or that a device of their own follows at once, stay as they are."""
import torch
from torch import nn

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
torch.manual_seed(0)
net = nn.Linear(3, 3).to(device)
weights = torch.linspace(0, 1, 3)
out = net(torch.ones(2, 3, device=device))
print((out.detach().cpu() * weights).sum().item() < 100)
rows = torch.eye(3)
rows = rows.to(out.device)
print((out @ rows).shape, torch.full((2, 3), 0.5).numpy().sum())
