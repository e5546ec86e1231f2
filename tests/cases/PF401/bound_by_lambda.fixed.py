"""A lambda or comprehension binds the name `device` to something else: there the fix does not read it."""
import torch

DEVICE = torch.device("cuda" if torch.cuda.is_available() else "cpu")

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
scale = torch.ones(2, device=device)  # want: PF401
made = (lambda device, n: torch.ones(n, device=DEVICE))(0, 2)  # want: PF401
parts = [torch.ones(1, device=DEVICE) for device in range(2)]  # want: PF401


def by_name(names):
    return {device: torch.ones(2, device=DEVICE) for device in names}  # want: PF401
# run: print(scale.sum().item(), made.sum().item(), len(parts), by_name(["a"])["a"].sum().item())
