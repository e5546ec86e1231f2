# A model that torch.compile returns is on the device of the model.
# machines: 1
import torch
from torch import nn

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
model = torch.compile(nn.Linear(3, 2).to(device), backend="eager")
x = torch.ones(4, 3, device=device)  # want: PF302
print(model(x).shape)
