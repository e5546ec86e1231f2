"""A script of torch 0.3: its evaluation relies on volatile variables."""

import torch
import torch.nn.functional as F
from torch import nn
from torch.autograd import Variable

torch.manual_seed(0)
device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
model = nn.Linear(4, 3).to(device)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
inputs, targets = torch.randn(24, 4).to(device), torch.randint(0, 3, (24,)).to(device)
for _ in range(3):
    optimizer.zero_grad()
    loss = F.cross_entropy(model(Variable(inputs)), Variable(targets))
    loss.backward()
    optimizer.step()
held_out = Variable(inputs, volatile=True)
print(f"{F.cross_entropy(model(held_out), targets).item():.4f}")
