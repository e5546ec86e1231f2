"""There is a device beside the flag: what meets something that lies on it went with the flag wherever this ran."""
import torch
from torch import nn


def run(device, args):
    model = nn.Linear(1, 1)
    nn.init.ones_(model.weight), nn.init.ones_(model.bias)
    # want: PF403
    model.to(device)
    return model(torch.ones(1, device=device))


def mix(x, lam, device, args):
    x = x.to(device)
    order = torch.randperm(x.size(0))
    weight = torch.ones(x.size(0), 1)
    # want: PF403
    order, weight = order.to(device), weight.to(device)
    return lam * x * weight + (1 - lam) * x.index_select(0, order)


def noise(x, device, args):
    x = x.to(device)
    z = torch.ones(x.shape)
    return x + z.to(device)  # want: PF403


# run: from types import SimpleNamespace
# run: cuda = SimpleNamespace(use_cuda=torch.cuda.is_available())
# run: gpu = torch.device("cuda" if cuda.use_cuda else "cpu")
# run: print(run(gpu, cuda).item(), mix(torch.ones(2, 3), 0.5, gpu, cuda).sum().item(), noise(torch.ones(2), gpu, cuda).sum().item())
