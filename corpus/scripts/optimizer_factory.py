"""A function of this file builds the optimizer; the placement comes after the call."""
import torch
from torch import nn


def build_optimizer(model, name="adagrad", lr=0.05):
    if name == "adagrad":
        return torch.optim.Adagrad(model.parameters(), lr=lr)
    if name == "sgd":
        return torch.optim.SGD(model.parameters(), lr=lr)
    raise ValueError(name)


def main():
    torch.manual_seed(131)
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    model = nn.Linear(6, 3)
    optimizer = build_optimizer(model)
    model.to(device)
    x = torch.randn(12, 6).to(device)
    y = torch.randint(0, 3, (12,)).to(device)
    for step in range(4):
        loss = nn.functional.cross_entropy(model(x), y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        print(step, round(loss.item(), 5))


if __name__ == "__main__":
    main()
