# not run: it reads a file that it does not make
import torch

net = torch.jit.load("net.pt")  # want: PF405 report
print(net(torch.ones(1, 4)))
