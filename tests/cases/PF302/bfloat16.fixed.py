"""Brain floats are made of the same tensor, on the same device."""
import torch
from torch import nn

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
model = nn.Linear(8, 2).to(device).bfloat16()
x = torch.ones(4, 8, device=device).bfloat16()  # want: PF302
print(model(x))
