"""The handler is the fallback to the host: without the exception there is no fallback."""
import torch
from torch import nn

torch.manual_seed(116)
model = nn.Linear(4, 2)
data = torch.randn(6, 4)

try:
    model = model.cuda()
    data = data.cuda()
    where = "cuda"
except (AssertionError, RuntimeError):
    where = "cpu"

optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for step in range(3):
    loss = model(data).pow(2).mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    print(step, round(loss.item(), 5))
print(where == "cuda" or where == "cpu")
