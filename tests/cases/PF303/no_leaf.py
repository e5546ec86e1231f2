"""Gradients are kept for what was made with requires_grad, and not for what is moved of it."""
import torch
from torch import nn

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
net = nn.Linear(3, 1).to(device)
image = torch.rand(4, 3, requires_grad=True)
image.to(device)  # want: PF303 unsafe
net(image).sum().backward()
print(image.grad)
