# rules: PF303,PF307
"""The criterion and the targets are moved by one fix: the loss fails without both."""
import torch
from torch import nn

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
net = nn.Linear(3, 3).to(device)
loss_of = nn.CrossEntropyLoss(weight=torch.ones(3))  # want: PF307
y = torch.zeros(2, dtype=torch.long)
y.to(device)  # want: PF303
print(loss_of(net(torch.zeros(2, 3).to(device)), y).item())
