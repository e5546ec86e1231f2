import torch
from accelerate import Accelerator
from ignite import engine
from torch import nn

accelerator = Accelerator()
model = accelerator.prepare(nn.Linear(3, 1))
x = torch.ones(4, 3).cuda()  # want: PF401 report
print(engine.Engine, model(x).sum().item())
