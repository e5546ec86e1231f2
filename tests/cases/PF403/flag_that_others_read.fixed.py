# run: print(printed(), inner()(), kept(True))
"""Guards go, their flag stays: something else reads it, a device is made of it, it is an option, or other files may import it."""
import torch

use_gpu = torch.cuda.is_available()
device = torch.device("cuda" if torch.cuda.is_available() else "cpu")


def printed():
    use_cuda = torch.cuda.is_available()
    x = torch.ones(1, device=device)  # want: PF403
    print("CUDA" if use_cuda else "CPU")
    return x.shape


def inner():
    use_cuda = torch.cuda.is_available()

    def make():
        return use_cuda

    x = torch.ones(1, device=device)  # want: PF403
    return make


def kept(verbose):
    use_cuda = torch.cuda.is_available() if verbose else False
    x, y = torch.ones(1), torch.ones(1)
    device = torch.device("cuda" if use_cuda else "cpu")
    # want: PF403
    x = x.to(device)
    # want: PF403
    y = y.to(device)
    return x.shape, y.shape
