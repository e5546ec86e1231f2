# Every run of the file needs the library of the GPU's driver: a test for CUDA would not make it portable.
import time

import pynvml
import torch


def duration(model, x):
    torch.cuda.synchronize()
    start = time.time()
    model(x)
    torch.cuda.synchronize()
    return time.time() - start


def used():
    pynvml.nvmlInit()
    return pynvml.nvmlDeviceGetMemoryInfo(pynvml.nvmlDeviceGetHandleByIndex(0)).used
