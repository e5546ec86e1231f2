# not run: accelerate is not installed
"""Nothing shows that a tensor is on the device."""
import torch
from accelerate import Accelerator

accelerator = Accelerator()
net = accelerator.prepare(torch.nn.Linear(3, 2))


def evaluate(loader):
    for x, y in loader:
        out = net(x)
        print(accelerator.gather(out).cpu().numpy(), y.numpy())


def collected(loader):
    found = []
    for x, y in loader:
        found.append(accelerator.gather_for_metrics(net(x)).cpu())
        print(y.numpy())
    return torch.cat(found).numpy()
