"""ignite.distributed places modules itself."""
import ignite.distributed as idist
import torch
from torch import nn

model = idist.auto_model(nn.Linear(3, 1))
x = torch.ones(4, 3).cuda()  # want: PF401 report
print(model(x).sum().item())
