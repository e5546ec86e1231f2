"""A copy that is taken before the placement stays on the CPU."""
import copy

import torch
from torch import nn
from torch.optim.swa_utils import AveragedModel

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
torch.manual_seed(0)
model = nn.Linear(3, 2)
teacher = copy.deepcopy(model).to(device)  # want: PF112
averaged = AveragedModel(model).to(device)  # want: PF112
model.to(device)
x = torch.randn(4, 3).to(device)
loss = (model(x) - teacher(x)).pow(2).sum() + averaged(x).sum()
print(loss.item())
