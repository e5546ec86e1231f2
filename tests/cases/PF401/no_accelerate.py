"""accelerate places things."""
import torch
from accelerate import Accelerator
from torch import nn

accelerator = Accelerator()
model = accelerator.prepare(nn.Linear(2, 1))
print(model(torch.ones(1, 2).cuda()))  # want: PF401 report
