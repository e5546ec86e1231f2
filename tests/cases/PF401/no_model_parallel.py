"""Two GPUs by number."""
import torch
from torch import nn

first = nn.Linear(4, 4).cuda(0)  # want: PF401 report
second = nn.Linear(4, 1).cuda(1)  # want: PF401 report
print(second(first(torch.ones(1, 4).cuda()).cuda(1)))  # want: PF401 report # want: PF401 report
