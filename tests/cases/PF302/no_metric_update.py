# The metric is on the CPU like its inputs, its inputs are on its device, or its result is compared with a number.
import torch
import torchmetrics
from torch import nn

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
net = nn.Linear(3, 2).to(device)
x = torch.ones(4, 3).to(device)
on_cpu = torchmetrics.classification.MulticlassAccuracy(num_classes=2)
on_cpu.update(net(x).cpu(), torch.zeros(4).long())
print(on_cpu.compute() * torch.ones(3))
placed = torchmetrics.classification.MulticlassAccuracy(num_classes=2).to(device)
placed.update(net(x), torch.zeros(4, device=device).long())
print(placed.compute() * torch.tensor(2.0), placed.compute().item() * torch.ones(3))
placed.reset()
