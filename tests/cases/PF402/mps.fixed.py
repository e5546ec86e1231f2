# machines: 0
import torch
from torch import nn

device = torch.device("mps" if torch.backends.mps.is_available() else "cpu")

model = nn.Linear(2, 1).to(device)  # want: PF402
x = torch.ones(1, 2, device=device)  # want: PF402
print(model(x))
