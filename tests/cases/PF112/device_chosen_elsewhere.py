"""Where the input lies is chosen elsewhere, and may be the CPU while the model is on the GPU."""
import torch
from torch import nn
from settings import chosen

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
net = nn.Linear(3, 3).to(device)
head = nn.Linear(3, 2)  # want: PF112 unsafe
y = net(torch.ones(2, 3).to(device)).to(torch.device(chosen()))
print(head(y).sum().item())

store = torch.device(chosen())
decoder = nn.Linear(3, 2)  # want: PF112 unsafe
print(decoder(net(torch.ones(2, 3).to(device)).to(store)).sum().item())
