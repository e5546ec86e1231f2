# options: unsafe
# A function reads the device of an argument, and makes a tensor that meets a result of code that is not seen.
# given: from drive import device
import torch


def scaled(values, scale, like):
    steps = torch.arange(3)  # want: PF302 unsafe, warning
    total = values(scale) * steps
    return total, torch.zeros(3, device=scale.device)


# run: x = torch.ones(3).to(device)
# run: print(scaled(lambda s: s * 2, x, None)[0].sum().item())
