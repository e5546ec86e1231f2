# The file also runs without the library of the GPU's driver.
# run: print(duration(torch.nn.Linear(2, 2), torch.ones(1, 2)) >= 0)
import time

import torch

try:
    import pynvml
except ImportError:
    pynvml = None


def duration(model, x):
    start = time.time()
    model(x)
    torch.cuda.synchronize()  # want: PF406
    return time.time() - start
