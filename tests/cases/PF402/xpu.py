# options: target-torch=2.4
# machines: 0
import torch
from torch import nn


def run():
    model = nn.Linear(2, 1).to(torch.device("xpu"))  # want: PF402
    return model(torch.ones(1, 2).to("xpu"))  # want: PF402


print(run())
