# options: target-torch=2.4
# machines: 0
import torch
from torch import nn


def run():
    device = torch.device("xpu" if torch.xpu.is_available() else "cpu")
    model = nn.Linear(2, 1).to(device)  # want: PF402
    return model(torch.ones(1, 2, device=device))  # want: PF402


print(run())
