"""A closure that runs before anything is placed meets everything on the CPU."""
import torch
from torch import nn, optim

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
torch.manual_seed(0)
seq = nn.Linear(3, 1)
data = torch.ones(6, 3)
target = torch.zeros(6, 1)
optimizer = optim.LBFGS(seq.parameters())


def closure():
    optimizer.zero_grad()
    loss = nn.functional.mse_loss(seq(data), target)
    loss.backward()
    return loss


print(optimizer.step(closure).item())
seq.to(device)
print(seq(data.to(device)).sum().item())
