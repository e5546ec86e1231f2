"""A tensor that a function only deletes reserves memory of the GPU: on the CPU it would do harm."""
# run: print(free(2))
import time

import torch


def occupy(block):
    x = torch.cuda.FloatTensor(256, 1024, block)
    del x
    time.sleep(5)


def free(block):
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    x = torch.empty(256, block, dtype=torch.float32, device=device)  # want: PF407
    total = x.numel()
    del x
    return total
