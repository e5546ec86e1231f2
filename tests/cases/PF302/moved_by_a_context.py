# A context moves the module to the CPU and back.
import torch
import torch.nn as nn

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
net = nn.Linear(3, 2).to(device)


class OnCpu:
    def __init__(self, module):
        self.module = module

    def __enter__(self):
        return self.module.cpu()

    def __exit__(self, *failure):
        self.module.to(device)


with OnCpu(net) as module:
    print(module(torch.ones(1, 3)).shape)
with OnCpu(net):
    print(net(torch.ones(1, 3)).shape)
print(net(torch.zeros(1, 3)).shape)  # want: PF302
