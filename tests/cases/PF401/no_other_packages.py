"""numba's cuda is no placement, and neither is what its objects do."""
import torch
from numba import cuda


def upload(image):
    stream = cuda.stream()
    return image.cuda(), stream  # want: PF401 report


@cuda.jit
def kernel(out):
    out[cuda.grid(1)] = 1


print(torch.cuda.is_available(), torch.cuda.device_count(), upload)
