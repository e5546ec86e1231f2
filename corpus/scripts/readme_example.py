# The example of README.md.
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(0)
inputs = torch.randn(64, 8)
loader = DataLoader(TensorDataset(inputs, inputs[:, :3].argmax(1)), batch_size=16)

model = nn.Linear(8, 3)
optimizer = torch.optim.Adagrad(model.parameters(), lr=0.1)
model.cuda()
for x, y in loader:
    loss = nn.functional.cross_entropy(model(x.cuda()), y)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
print(f"loss {loss.item():.3f}")
