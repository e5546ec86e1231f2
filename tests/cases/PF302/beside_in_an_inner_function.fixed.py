# A function in a function makes a tensor on the CPU, and uses it with a value of the function around, of which it reads the device.
# given: from drive import device
import torch


def resampled(image, size):
    def grid():
        across = torch.arange(0, size, 1, dtype=image.dtype, device=image.device)
        down = torch.arange(0, size, 1, dtype=image.dtype, device=image.device)  # want: PF302 warning
        return across * image + down

    return grid()


# run: print(resampled(torch.ones(4).to(device), 4).sum().item())
