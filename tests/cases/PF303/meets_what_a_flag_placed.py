"""The tensor meets a module that a flag may have left on the CPU, and goes to the GPU itself."""
import torch
from torch import nn

debug = False
where = torch.device("cpu" if debug else "cuda")
device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
net = nn.Linear(3, 2).to(where)
x = torch.ones(4, 3)
x.to(device)  # want: PF303 unsafe
print(net(x).sum().item())

z = torch.ones(4, 3)
z.cuda()  # want: PF303 unsafe
print(net(z).sum().item())
