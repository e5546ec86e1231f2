"""A comment that says in a few words that something goes to the GPU says device; what says more stays."""
import torch
from torch import nn

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
# move the model to the device
net = nn.Linear(2, 2).to(device)  # want: PF401
# Inputs to device.
x, y = torch.randn(2).to(device), torch.randn(2).to(device)  # want: PF401  # want: PF401
z = torch.randn(2)
z = z.to(device  # want: PF401
)  # to device

# on GPU if there is one
z = z.to(device)  # want: PF401
# what follows needs memory on the GPU
# and a lot of it: all goes to the GPU
z = z.to(device)  # want: PF401
# to the GPU

z = z.to(device)  # want: PF401
# the way from GPU to CPU
print(net(z.to(device)).shape, x.shape, y.shape)  # want: PF401
