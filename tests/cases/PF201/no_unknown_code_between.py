import torch
import torch.nn as nn
from surgery import prune_heads

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
model = nn.Linear(6, 2)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)  # want: PF201 report
prune_heads(model)
model.to(device)
