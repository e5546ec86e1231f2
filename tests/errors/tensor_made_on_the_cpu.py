# message: RuntimeError: Expected all tensors to be on the same device, but found at least two devices, cuda:0 and cpu!
# rules: PF302
import torch
from torch import nn

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
model = nn.Linear(4, 2).to(device)
target = torch.ones(8, 2)
output = model(torch.randn(8, 4).to(device))
loss = nn.functional.mse_loss(output, target)
