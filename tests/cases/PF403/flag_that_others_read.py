# run: print(printed(), inner()(), kept(True))
"""Guards go, their flag stays: something else reads it, a device is made of it, it is an option, or other files may import it."""
import torch

use_gpu = torch.cuda.is_available()
device = torch.device("cuda" if torch.cuda.is_available() else "cpu")


def printed():
    use_cuda = torch.cuda.is_available()
    x = torch.ones(1)
    if use_cuda:  # want: PF403
        x = x.cuda()
    print("CUDA" if use_cuda else "CPU")
    return x.shape


def inner():
    use_cuda = torch.cuda.is_available()

    def make():
        return use_cuda

    x = torch.ones(1)
    if use_cuda:  # want: PF403
        x = x.cuda()
    return make


def kept(verbose):
    use_cuda = torch.cuda.is_available() if verbose else False
    x, y = torch.ones(1), torch.ones(1)
    if use_cuda:  # want: PF403
        x = x.cuda()
    if use_gpu:  # want: PF403
        y = y.cuda()
    return x.shape, y.shape
