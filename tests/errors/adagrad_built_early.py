# message: RuntimeError: Expected all tensors to be on the same device, but found at least two devices, cuda:0 and cpu!
# rules: PF201
import torch
from torch import nn

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
model = nn.Linear(4, 2)
optimizer = torch.optim.Adagrad(model.parameters())
model.to(device)
model(torch.randn(8, 4).to(device)).sum().backward()
optimizer.step()
