"""`.to(0)` of a module or a tensor goes to the first GPU, as "cuda:0" does."""
import torch
from torch import nn

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")

model = nn.Linear(4, 2).to(device)  # want: PF402
x = torch.ones(1, 4, device=device)  # want: PF402
print(model(x), model(torch.ones(1, 4, device=device)).shape)  # want: PF402
