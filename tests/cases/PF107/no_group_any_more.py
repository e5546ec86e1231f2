"""The group has been destroyed before the model is wrapped."""
import torch
import torch.distributed as dist
from torch import nn

dist.init_process_group("gloo")
dist.barrier()
dist.destroy_process_group()
model = nn.DataParallel(nn.Linear(3, 2))
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
model(torch.randn(4, 3)).sum().backward()
optimizer.step()
