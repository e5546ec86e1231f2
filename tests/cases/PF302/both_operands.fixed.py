"""Two operands of one call stay on the CPU, and both may be moved."""
import torch
from torch import nn

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
net = nn.Bilinear(3, 3, 2).to(device)


def left():
    a = torch.randn(4, 3).to(device)  # want: PF302
    b = torch.randn(4, 3).to(device)  # want: PF302
    return net(a, b)


print(left().shape)
