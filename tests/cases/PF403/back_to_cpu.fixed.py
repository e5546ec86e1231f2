"""The other arm moves to the CPU, which is where the device says to go."""
import torch
from torch import nn

use_cuda = torch.cuda.is_available()
device = torch.device("cuda" if use_cuda else "cpu")
model = nn.Linear(4, 1)
# want: PF403
model = model.to(device)
x = torch.randn(2, 4)
x = x.to(device)  # want: PF403
print(model(x).shape)
