"""The way without a GPU is there already."""
import torch
from torch import nn

model = nn.Linear(2, 1)
try:
    model = model.cuda()  # want: PF401 report
except RuntimeError:
    print("on the cpu")
print(model(torch.ones(1, 2)))
