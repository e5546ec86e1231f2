"""Modules of a list that a comprehension or a display makes."""
import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.linear = nn.Linear(4, 2)

    def forward(self, x):
        return self.linear(x)


device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
torch.manual_seed(1)
models = [Net().to(device) for _ in range(3)]  # want: PF112
optimizers = [torch.optim.SGD(model.parameters(), 0.1) for model in models]
heads = [nn.Linear(2, 1).to(device), nn.Linear(2, 1).to(device)]  # want: PF112 # want: PF112
x = torch.ones(8, 4).to(device)
for model, optimizer in zip(models, optimizers):
    loss = model(x).sum()
    loss.backward()
    optimizer.step()
for head in heads:
    print(f"{head(torch.ones(1, 2).to(device)).item():.4f}")
for model in models:
    print(f"{model(x).sum().item():.4f}")
