import torch
from torch import nn

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
model = nn.Linear(8, 3).to(device)
samples = [torch.ones(8) for _ in range(4)]
for sample in samples:
    print(model(sample.to(device)).shape, sample.numpy().shape)
placed = [torch.ones(8, device=device) for _ in range(4)]
for one in placed:
    print(model(one).shape)
kept = []
for one in placed:
    kept.append(model(one).detach().cpu())
for one in kept:
    print(one.numpy())
mixed = [torch.ones(8) for _ in range(2)]
mixed.append(torch.ones(8, device=device))
for one in mixed[2:]:
    print(model(one).shape)
for index, one in enumerate(placed):
    print(index, model(one).shape)
