# The function reads the device of one argument, and uses a tensor that it makes on the CPU with another one.
# given: from drive import device
# run: boxes(torch.ones(2, 3, device=device), torch.ones(4, 2, device=device))
import torch


def boxes(masks, corners):
    if len(masks) == 0:
        return torch.zeros(0, 3, device=masks.device)
    ratios = torch.tensor([[0.5, 2.0]])  # want: PF302 safe, warning
    corners = corners.unsqueeze(0)
    return masks, corners * ratios
