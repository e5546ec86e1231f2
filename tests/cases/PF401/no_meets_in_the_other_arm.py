"""What meets the device does so where the move is not made."""
import torch


def either(x, device, plain):
    x = x.to(device)
    if plain:
        w = torch.ones(3).cuda()  # want: PF401 unsafe
    else:
        w = torch.ones(3, device=device)
        x = x * w
    return x.sum(), w
