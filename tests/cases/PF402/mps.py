# machines: 0
import torch
from torch import nn

model = nn.Linear(2, 1).to("mps")  # want: PF402
x = torch.ones(1, 2, device="mps")  # want: PF402
print(model(x))
