# options: unsafe
"""What is moved beside a device has a ``.cuda()`` of its own."""
import torch


class Own:
    def cuda(self):
        return self


def own(x, device):
    y = Own()
    if x.device != device:  # want: PF403 note
        x = x.to(device)
        y = y.cuda()
    return x, y, torch
