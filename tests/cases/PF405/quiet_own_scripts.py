import torch
import torch.nn as nn

torch.jit.script(nn.Linear(4, 2)).save("net.pt")
net = torch.jit.load("net.pt")
