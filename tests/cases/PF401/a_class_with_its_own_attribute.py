# Attributes of other objects that are named like methods of torch replace nothing of torch.
import functools
from types import SimpleNamespace

import torch
import torch.nn as nn

torch.load = functools.partial(torch.load, weights_only=False)
settings = SimpleNamespace()
settings.cuda = True
settings.device = "gpu"
setattr(settings, "to", 3)
net = nn.Linear(3, 2).cuda()  # want: PF401
print(net(torch.ones(1, 3).cuda()))  # want: PF401
