"""No second test below a named one that is about the device; a name for another question is none."""
# run: print(distance(torch.ones(2), torch.sin), sized(torch.ones(2), 3))
import torch

has_kernels = True


def distance(img, block):
    on_gpu = has_kernels and isinstance(img, torch.Tensor) and img.device.type == "cuda"
    if on_gpu:
        img = block(img)
        torch.cuda.synchronize()
    return img


def sized(img, count):
    several = has_kernels and count > 2
    if several:
        img = img * count
        torch.cuda.synchronize()  # want: PF406
    return img
