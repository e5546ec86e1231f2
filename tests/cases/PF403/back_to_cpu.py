"""The other arm moves to the CPU, which is where the device says to go."""
import torch
from torch import nn

use_cuda = torch.cuda.is_available()
model = nn.Linear(4, 1)
if use_cuda:  # want: PF403
    model = model.cuda()
else:
    model = model.cpu()
x = torch.randn(2, 4)
x = x.cuda() if use_cuda else x.to("cpu")  # want: PF403
print(model(x).shape)
