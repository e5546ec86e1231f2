# options: unsafe
# machines: 1,2
# run: print(float(Noise().cuda()(torch.ones(2, 4).cuda()).sum()))
# A Sequential without weights leaves its input on the device where the caller has it.
import torch
from torch import nn


class Noise(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = nn.Sequential(nn.Flatten(), nn.ReLU())
        self.scale = torch.full((4,), 2.0)  # want: PF305 unsafe

    def forward(self, x):
        return self.body(x) * self.scale
