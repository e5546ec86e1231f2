"""The same work on every device there is: the devices are the subject."""
import time

import torch
from torch import nn

torch.manual_seed(114)
weights = nn.Linear(16, 16).state_dict()

devices = ["cpu"]
if torch.cuda.is_available():
    devices.append("cuda")

for device in devices:
    model = nn.Linear(16, 16)
    model.load_state_dict(weights)
    model.to(device)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    x = torch.ones(8, 16).to(device)
    start = time.perf_counter()
    for _ in range(5):
        loss = model(x).pow(2).mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    if device == "cuda":
        torch.cuda.synchronize()
    elapsed = time.perf_counter() - start
    print(device, round(loss.item(), 4), elapsed > 0)

for device in ("cpu", "cuda"):
    try:
        a = torch.ones(2, 2, device=device)
        print(device, (a @ a).sum().item() == 8.0)
    except (AssertionError, RuntimeError):
        print(device, True)
