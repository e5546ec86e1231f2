import time

import torch


class Timer:
    def __init__(self, sync=True):
        self.sync = sync and torch.cuda.is_available()

    def start(self):
        if self.sync:
            torch.cuda.synchronize()
        return time.time()

    def later(self):
        def inner():
            if self.sync:
                torch.cuda.synchronize()

        return inner
