"""No guard in a function that needs CUDA all the same: a library for GPUs, an assertion in a function that it calls."""
import torch
from tools import optional_import

trt, _ = optional_import("tensorrt")


def engine(device):
    torch.cuda.set_device(device)  # want: PF406 report
    return trt.Builder(trt.Logger())


def summed(x):
    assert x.is_cuda
    return x.sum()


def marked(x, nvtx):
    if nvtx:
        torch.cuda.nvtx.range_push("sum")
    torch.cuda.synchronize()  # want: PF406
    if x.is_cuda:
        total = summed(x)
        print(total)


def timed(x):
    total = summed(x)
    torch.cuda.synchronize()  # want: PF406 report
    return total
# not run: it needs TensorRT, which is for GPUs only
