"""One process for each GPU, which Horovod numbers."""
import horovod.torch as hvd
import torch
from torch import nn

hvd.init()
torch.cuda.set_device(hvd.local_rank())
model = nn.Linear(2, 1)
model.cuda()  # want: PF401 report
optimizer = hvd.DistributedOptimizer(torch.optim.SGD(model.parameters(), lr=0.1))
print(model(torch.ones(1, 2).cuda()))  # want: PF401 report
