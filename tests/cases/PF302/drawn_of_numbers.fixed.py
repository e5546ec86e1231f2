"""torch.normal of numbers draws on the CPU, and so does one of tensors that lie there."""
import torch
from torch import nn

torch.manual_seed(0)
device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
actor = nn.Linear(3, 2).to(device)
actions = actor(torch.ones(4, 3).to(device))
noise = torch.normal(0.0, 0.1, (4, 2)).to(device)  # want: PF302
more = torch.normal(0.0, 0.1, size=(4, 2)).to(device)  # want: PF302
print((actions + noise).shape, (actions * more).shape)
