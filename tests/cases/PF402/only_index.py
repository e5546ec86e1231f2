"""cuda:0 is the current device where nothing else chooses one."""
import torch
from torch import nn

model = nn.Linear(4, 2).to("cuda:0")  # want: PF402
print(model(torch.ones(1, 4).to('cuda:0')))  # want: PF402
