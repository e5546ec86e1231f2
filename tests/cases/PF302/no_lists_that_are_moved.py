import torch
from torch import nn

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
model = nn.Linear(4, 2).to(device)
kept, mixed, read = [], [], []
for step in range(3):
    kept.append(torch.full((4,), float(step)).to(device))
    mixed.append(torch.zeros(4))
    read.append(torch.zeros(4))
mixed[0] = torch.ones(4, device=device)
print(model(torch.stack(kept)).shape)
print(model(torch.stack([m.to(device) for m in mixed])).shape)
print(model(torch.stack(read).to(device)).shape, torch.stack(read).numpy().shape)


def filled(others):
    """Who knows where the others lie."""
    some = [torch.zeros(4)]
    some.extend(others)
    held = []
    held.append(torch.zeros(4))
    held = others
    return model(torch.stack(some[1:])), model(torch.stack(held))


print(filled([torch.ones(4, device=device)])[0].shape)
