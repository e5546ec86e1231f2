# message: RuntimeError: indices should be either on cpu or on the same device as the indexed tensor (cpu)
# rules: PF302
import torch
from torch import nn

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
model = nn.Linear(4, 3).to(device)
prices = torch.tensor([1.0, 2.0, 3.0])
best = model(torch.randn(8, 4).to(device)).argmax(1)
print(prices[best].sum())
