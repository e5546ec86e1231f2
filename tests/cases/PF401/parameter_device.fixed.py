"""A parameter that is the function's device; an annotated one."""
import torch
from torch import nn


def train(model, loader, device):
    model.to(device)
    for x, y in loader:
        loss = nn.functional.mse_loss(model(x.to(device)), y.to(device))  # want: PF401 # want: PF401
        loss.backward()


def warm_up(model, where: torch.device):
    return model(torch.zeros(1, 4).cuda())  # want: PF401 unsafe


def noise(n, device=None):
    device = device or torch.device("cpu")
    return torch.randn(n).to(device) + torch.ones(n, device=device)  # want: PF401
# after: unsafe
# run: from drive import device
# run: net = nn.Linear(4, 1)
# run: train(net, [(torch.ones(2, 4), torch.ones(2, 1))], device)
# run: print(net.weight.grad.sum().item(), warm_up(net, device).item(), noise(3, device).sum().item())
