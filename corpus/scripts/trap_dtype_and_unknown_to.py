"""Many .to() calls that are no placements: dtypes, other tensors, layouts, things that are no tensors."""
import torch
from torch import nn

torch.manual_seed(141)


class Currency:
    def __init__(self, amount):
        self.amount = amount

    def to(self, unit):
        return self.amount * {"EUR": 1.0, "USD": 1.1}[unit]


def as_like(x, other):
    return x.to(other)


model = nn.Linear(4, 1)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
model.to(torch.float64)
x = torch.randn(6, 4).to(torch.float64)
y = as_like(torch.ones(6, 1), x)
model.to(memory_format=torch.contiguous_format)
for step in range(3):
    loss = nn.functional.mse_loss(model(x), y)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    print(step, round(loss.item(), 5))
Currency(2).to("EUR")
print(Currency(2).to("USD"))
