"""cuda:0 is the current device where nothing else chooses one."""
import torch
from torch import nn

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")

model = nn.Linear(4, 2).to(device)  # want: PF402
print(model(torch.ones(1, 4, device=device)))  # want: PF402
