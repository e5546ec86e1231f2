# options: unsafe
# Tensors that a call gets, or a statement binds, together: one is made on the CPU, the others on a device.
# given: from drive import device
# run: prior(3, device).rsample(); state(3, device); placed(3)
import torch


def get_device():
    return torch.device("cuda" if torch.cuda.is_available() else "cpu")


def prior(n, device):
    return torch.distributions.Normal(torch.zeros(n), torch.ones(n).to(device))  # want: PF302 unsafe, warning


def state(n, device):
    hidden = (torch.zeros(1, n, device=device), torch.zeros(1, n))  # want: PF302 unsafe, warning
    return hidden


def placed(n):
    return torch.add(torch.zeros(n).to(get_device()), torch.ones(n))  # want: PF302
