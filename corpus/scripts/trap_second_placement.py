"""Placed before the optimizer; what comes later is a second placement, not the first."""
import copy

import torch
from torch import nn


def main():
    torch.manual_seed(139)
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    model = nn.Linear(6, 2).to(device)
    optimizer = torch.optim.Adam(model.parameters(), lr=0.05)
    x = torch.randn(10, 6).to(device)
    y = torch.randint(0, 2, (10,)).to(device)
    best = copy.deepcopy(model.state_dict())
    for step in range(3):
        loss = nn.functional.cross_entropy(model(x), y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        print(step, round(loss.item(), 5))
    # the best weights are loaded back, and the model placed once more to be sure
    model.load_state_dict(best)
    model.to(device)
    print("restored", round(nn.functional.cross_entropy(model(x), y).item(), 5))

    second = nn.Linear(6, 2)
    second.to(device)
    for phase in ("warm-up", "main"):
        # every phase has an optimizer of its own
        optimizer = torch.optim.SGD(second.parameters(), lr=0.1)
        loss = nn.functional.cross_entropy(second(x), y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        second.to(device)
        print(phase, round(loss.item(), 5))


if __name__ == "__main__":
    main()
