# options: unsafe
# A loop gives a module what it got on a device before, and then a tensor of the CPU.
# run: print(sample(torch.nn.Linear(3, 3).to(device), 3, 2).sum().item())
import torch

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")


def sample(model, size, steps):
    row = torch.ones(1, size).to(device)
    for _ in range(steps):
        out = model(row)
        row = torch.ones(1, size)  # want: PF302 unsafe, warning
    return out
