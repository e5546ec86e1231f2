"""Streams: nothing of it runs without CUDA."""
import torch


class Prefetcher:
    def __init__(self, loader, use_cuda):
        self.loader = iter(loader)
        self.use_cuda = use_cuda
        self.stream = torch.cuda.Stream()

    def next(self):
        x, y = next(self.loader)
        if self.use_cuda:
            x = x.cuda(non_blocking=True)
        return x, y
