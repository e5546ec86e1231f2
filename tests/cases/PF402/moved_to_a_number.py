"""`.to(0)` of a module or a tensor goes to the first GPU, as "cuda:0" does."""
import torch
from torch import nn

model = nn.Linear(4, 2).to(0)  # want: PF402
x = torch.ones(1, 4, device=torch.device("cuda", 0))  # want: PF402
print(model(x), model(torch.ones(1, 4).to(device=0)).shape)  # want: PF402
