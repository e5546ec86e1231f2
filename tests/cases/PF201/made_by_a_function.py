import torch
import torch.nn as nn


def make_optimizer(model, lr):
    return torch.optim.SGD(model.parameters(), lr=lr)


device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
model = nn.Linear(6, 2)
optimizer = make_optimizer(model, 0.1)  # want: PF201
model.to(device)
for step in range(3):
    x = torch.randn(4, 6).to(device)
    y = torch.randint(0, 2, (4,)).to(device)
    loss = nn.functional.cross_entropy(model(x), y)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    print(step, round(loss.item(), 5))
