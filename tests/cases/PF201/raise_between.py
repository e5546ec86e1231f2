import torch
import torch.nn as nn


def train(model, steps):
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)  # want: PF201
    if steps < 1:
        raise ValueError(f"{steps} steps")
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    model.to(device)
    for _ in range(steps):
        loss = model(torch.ones(3, 6, device=device)).pow(2).sum()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    return round(loss.item(), 4)


torch.manual_seed(3)
print(train(nn.Linear(6, 2), 3))
