# options: unsafe
# run: print(rows(torch.tensor(1), torch.arange(6, device=device)).tolist())
"""A move of the same name in another arm does not place the tensor that this one makes."""
import torch

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")


def rows(at, table):
    if isinstance(at, (int, list)):
        at = torch.tensor([at], device=table.device).flatten()
    elif len(at.shape) == 0:
        at = torch.tensor([int(at)])  # want: PF302 unsafe, warning
    else:
        at = at.to(table.device)
    return torch.cat([at, table])
