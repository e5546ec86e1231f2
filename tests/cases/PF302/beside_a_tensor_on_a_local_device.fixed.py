# A function binds a device once, makes a tensor on it, and another one on the CPU, which meets that.
# given: from drive import device
import torch


def with_device_bound_first(model, x):
    device = model.weight.device
    total = torch.zeros(2, device=device)
    rest = torch.zeros(2, 2, device=device)  # want: PF302 warning
    scale = model(x.to(device))
    total = total + scale
    return rest + total


# run: print(with_device_bound_first(torch.nn.Linear(3, 2).to(device), torch.ones(2, 3)).shape)
