# A framework that is imported in one arm places nothing in the other one.
# run: main(False)
import torch
from torch import nn


def main(use_accelerate):
    net = nn.Linear(3, 2)
    x = torch.ones(2, 3)
    if use_accelerate:
        from accelerate import Accelerator

        accelerator = Accelerator()
        net = accelerator.prepare(net)
        x = x.to(accelerator.device)
    else:
        device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
        net = net.to(device)  # want: PF401
        x = x.to(device)  # want: PF401
    print(net(x).shape)
