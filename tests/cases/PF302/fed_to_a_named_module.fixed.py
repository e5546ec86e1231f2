# options: unsafe
# What has the name of a module gets two tensors that the function makes, one of them on a device.
# given: from drive import device
# run: print(step(torch.nn.Bilinear(3, 3, 1).to(device), 2, device).shape)
import torch


def step(generator, n, device):
    noise = torch.randn(n, 3)  # want: PF302 unsafe, warning
    labels = torch.randint(0, 2, (n, 3), device=device)
    noise = noise.to(device)
    labels = labels.float()
    return generator(noise, labels)
