"""A flag that decides only about calls of torch.cuda: it is false without CUDA, and its tests stay as they are."""
# run: Timer().run(print); assert Other(True).wait() == 0
import time

import torch


class Timer:
    def __init__(self, sync=True):
        self.exact = sync
        self.start = 0.0

    def run(self, function):
        if self.exact:
            torch.cuda.synchronize()  # want: PF406
        self.start = time.time()
        function()
        if self.exact:
            torch.cuda.synchronize()  # want: PF406
        return time.time() - self.start


class Other:
    def __init__(self, sync):
        self.sync_all = sync

    def wait(self):
        if self.sync_all:
            torch.cuda.synchronize()  # want: PF406
        if self.sync_all:
            return 0
        return 1
