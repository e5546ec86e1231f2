import torch
import torch.nn as nn

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")


def make_optimizer(model):
    model.to(device)
    return torch.optim.SGD(model.parameters(), lr=0.1)


def train(model):
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    loss = model(torch.ones(2, 6)).sum()
    loss.backward()
    optimizer.step()
    return loss.item()


model = nn.Linear(6, 2)
optimizer = make_optimizer(model)
model.to(device)
other = nn.Linear(6, 2)
loss = train(other)
other.to(device)
print(model(torch.ones(2, 6, device=device)).shape, other(torch.ones(2, 6, device=device)).shape)
