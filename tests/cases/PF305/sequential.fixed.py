# options: unsafe
# run: print("%.3f" % float(Head().cuda()(torch.ones(2, 4).cuda()).sum()))
# machines: 1,2
# The result of a Sequential of layers is on the device of their weights.
from collections import OrderedDict

import torch
from torch import nn


class Head(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = nn.Sequential(nn.Flatten(), nn.Linear(4, 3), nn.Sequential(nn.ReLU(), nn.Linear(3, 3)), nn.Dropout(0.0))
        self.tail = nn.Sequential(OrderedDict([("fc", nn.Linear(3, 3)), ("act", nn.Sigmoid())]))
        nn.init.constant_(self.body[1].weight, 0.5)
        nn.init.constant_(self.body[1].bias, 0.5)
        nn.init.constant_(self.body[2][1].weight, 0.5)
        nn.init.constant_(self.body[2][1].bias, 0.5)
        nn.init.constant_(self.tail.fc.weight, 0.1)
        nn.init.constant_(self.tail.fc.bias, 0.1)
        self.register_buffer("scale", torch.full((3,), 2.0), persistent=False)  # want: PF305 unsafe
        self.register_buffer("shift", torch.ones(3), persistent=False)  # want: PF305 unsafe

    def forward(self, x):
        y = self.body(x) * self.scale
        return self.tail(y) + self.shift
