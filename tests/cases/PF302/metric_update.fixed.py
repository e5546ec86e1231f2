# `update` of a metric of torchmetrics takes tensors on its device, and `compute` gives one.
import torch
import torchmetrics
from torch import nn

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
torch.manual_seed(0)
net = nn.Linear(3, 2).to(device)
accuracy = torchmetrics.classification.MulticlassAccuracy(num_classes=2).to(device)
x = torch.ones(4, 3).to(device)
target = torch.zeros(4, device=device).long()  # want: PF302
accuracy.update(net(x), target)
weights = torch.ones(3, device=device)  # want: PF302
print(f"{(accuracy.compute() * weights).sum().item():.4f}")
