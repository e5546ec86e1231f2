"""A tensor that a function only deletes reserves memory of the GPU: on the CPU it would do harm."""
# run: print(free(2))
import time

import torch


def occupy(block):
    x = torch.cuda.FloatTensor(256, 1024, block)
    del x
    time.sleep(5)


def free(block):
    x = torch.cuda.FloatTensor(256, block)  # want: PF407
    total = x.numel()
    del x
    return total
