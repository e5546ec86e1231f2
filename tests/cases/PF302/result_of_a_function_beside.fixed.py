# Functions of the file make a tensor of the CPU, through several operations; another one uses it with a tensor of which it reads the device.
# run: device = "cuda" if torch.cuda.is_available() else "cpu"
# run: print(resampled(torch.ones(1, 1, 9, 9, device=device), 2, 5).sum().item())
# run: print(scaled(torch.ones(4, device=device)).sum().item())
import torch
from torch.nn import functional as F


def ramp(n):
    out = torch.empty([n])
    for i in range(n):
        out[i] = i
    return torch.cat([-out[1:].flip([0]), out])[1:-1]


def window(x, a):
    cond = torch.logical_and(-a < x, x < a)
    out = torch.where(cond, x * x, x.new_zeros([]))
    return out / out.sum()


def resampled(image, down, across):
    if down < across:
        kernel = window(ramp(3).to(image.device), 3).to(image.dtype)  # want: PF302 warning
        image = F.conv2d(image, kernel[None, None, :, None])
    if across > 1:
        kernel = window(ramp(3), 3).to(image.device)
        image = F.conv2d(image, kernel[None, None, None, :])
    return image


def scaled(x):
    scale = ramp(3)[:1]
    shift = torch.zeros(1, device=x.device)
    return x * scale.sum() + shift
