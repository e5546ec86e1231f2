import torch
import torch.nn as nn


def build(device):
    net = nn.Sequential(nn.Linear(4, 8), nn.ReLU(), nn.Linear(8, 2))
    optimizer = torch.optim.Adagrad(net.parameters(), lr=0.1)  # want: PF201
    for name, layer in net.named_children():
        print(name.upper(), sum(weight.numel() for weight in layer.parameters()))
    for weight in net.parameters():
        print(weight.detach().norm().item(), weight.requires_grad)
    net.to(device)
    return net, optimizer
# run: import drive
# run: drive.step(build(drive.device)[1])
