"""A value that meets a tensor of the function goes to its device, and no new one is defined."""
# run: place = torch.device("cuda" if torch.cuda.is_available() else "cpu")
# run: print(scaled([torch.ones(2, 3).to(place)]).sum().item(), apart([torch.ones(2, 3).to(place)]).sum().item())
import torch


def scaled(parts):
    rows = torch.cat(parts).relu()
    ones = torch.ones(rows.size(1), device=rows.device)  # want: PF401
    return rows * ones


def apart(parts):
    rows = torch.cat(parts).relu()
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    ones = torch.ones(rows.size(1), device=device)  # want: PF401
    return ones
