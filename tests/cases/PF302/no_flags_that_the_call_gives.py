"""The flag that the call gives decides the device of the helper: the CPU, here. A default is no such answer."""
import torch


def made(values, on):
    device = torch.device("cuda" if on else "cpu")
    if on:
        values = torch.ones(4, 3)
    values = values.to(device)
    return [values, values + 1]


device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
table = made(torch.zeros(4, 3), False)
x = torch.ones(2, 4)
print((x @ table[0]).sum().item())
print(torch.ones(2, device=device).sum().item())
