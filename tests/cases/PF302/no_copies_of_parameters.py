"""Copies of parameters that are made after the placement, are moved, are of a module on the CPU, or meet the parameters on the CPU."""
import torch
from torch import nn

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
torch.manual_seed(1)
host = nn.Linear(3, 2)
first = host.weight.data.clone()
print((host.weight - first).abs().sum().item())

net = nn.Linear(3, 2)
start = net.weight.data.clone()
moved = net.weight.data.clone().to(device)
old = {n: p.detach().clone().to(device) for n, p in net.named_parameters()}
net.to(device)
after = {n: p.detach().clone() for n, p in net.named_parameters()}
print((net.weight.cpu() - start).abs().sum().item(), (net.weight - moved).abs().sum().item())
for n, p in net.named_parameters():
    print((p - old[n]).sum().item(), (p - after[n]).sum().item(), (p.cpu() - after[n].cpu()).sum().item())
net.cpu()
print((net.weight - start).abs().sum().item())
for p in net.parameters():
    p.data.copy_(torch.ones_like(p) * 0.5)
print((net.weight * 2).sum().item())
