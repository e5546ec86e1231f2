# options: unsafe
# not run: accelerate is not installed
"""Whoever places a tensor, numpy does not read it on a device."""
import torch
from accelerate import Accelerator

accelerator = Accelerator()


def evaluate(model, loader):
    for x, y in loader:
        out = model(x.to(accelerator.device))
        loss = (out - y.to(accelerator.device)).abs()
        print(out.detach().cpu().numpy(), loss.detach().numpy())  # want: PF310 unsafe, warning


def filtered(x, kernel):
    return torch.from_numpy(kernel(x.numpy())).to(x.device)  # want: PF310 unsafe, warning
