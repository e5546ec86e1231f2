"""Copies that follow the placed model, or are meant for the CPU."""
import copy

import torch
from torch import nn
from torch.optim.swa_utils import AveragedModel

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
model = nn.Linear(3, 2)
initial = copy.deepcopy(model)
averaged = AveragedModel(model)
model.to(device)
later = copy.deepcopy(model)
x = torch.randn(4, 3)
averaged.update_parameters(model)
print(later(x.to(device)).sum().item(), averaged(x).sum().item())
model.load_state_dict(initial.state_dict())
