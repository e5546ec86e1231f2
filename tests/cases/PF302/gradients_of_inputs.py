"""Gradients are kept for leaves: what is optimised, or attacked, stays what it is and is moved where it is used."""
import torch
from torch import nn

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
torch.manual_seed(0)
net = nn.Linear(3, 1).to(device)
image = torch.rand(4, 3, requires_grad=True)
net(image).sum().backward()  # want: PF302
print(image.grad.sum().item())
delta = torch.zeros(4, 3).requires_grad_()
optimizer = torch.optim.SGD([delta], lr=0.1)
net(image.detach() + delta).sum().backward()  # want: PF302
optimizer.step()
print(delta.sum().item())
noise = torch.rand(4, 3, requires_grad=False)  # want: PF302
later = torch.rand(4, 3)  # want: PF302
later.requires_grad_()
(net(noise) + net(later)).sum().backward()
print(later.grad.sum().item())
