"""The definition stands below its new use, and moves up."""
import torch
from torch import nn

model = nn.Linear(2, 1)
model.cuda()  # want: PF401

# where things go
device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
print(model(torch.ones(1, 2).to(device)))
