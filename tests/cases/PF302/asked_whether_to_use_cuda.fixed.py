"""The neighbour of `no_asked_where_it_lies`: what is moved if CUDA is to be used lies on the device."""
import torch
import torch.nn as nn

use_cuda = torch.cuda.is_available()
device = torch.device("cuda" if use_cuda else "cpu")
net = nn.Linear(3, 3).to(device)
x = torch.ones(2, 3, device=device)  # want: PF302
y = torch.ones(2, 3)
if use_cuda:
    y = y.cuda()
print((x + y).sum().item())
