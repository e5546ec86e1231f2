# options: unsafe
# run: device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
# run: print(pad(3, 2, device).sum().item())
"""A parameter that may be None is the device of all lines but one."""
import torch


def pad(size, length, device=None):
    ids = torch.zeros(size, dtype=torch.long, device=device)
    if length:
        more = torch.ones(length, dtype=torch.long, device="cuda")  # want: PF402 unsafe
        ids = torch.cat([ids, more])
    return ids
