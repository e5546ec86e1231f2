import torch
from torch import nn

model = nn.Linear(4, 2).to("cuda:1")  # want: PF402 report
print(model)
