"""A test between two readings of a clock is measured with the rest: the fix is unsafe."""
# run: print(measured(lambda: 1) >= 0, Timer().stop() >= 0)
import time
from timeit import default_timer

import torch


def measured(function):
    start = time.perf_counter()
    function()
    torch.cuda.synchronize()  # want: PF406 unsafe
    end = time.perf_counter()
    return end - start


class Timer:
    start = 0.0

    def stop(self):
        torch.cuda.synchronize()  # want: PF406 unsafe
        return default_timer() - self.start
