"""The other values of the flag are not the CPU: with "all" the data lies on the GPU already."""
import torch


class Loader:
    def __init__(self, use_cuda=None):
        self.use_cuda = use_cuda
        self.data = torch.arange(6.0)
        if use_cuda is not None and use_cuda == "all":  # want: PF403 note
            self.data = self.data.cuda()

    def batch(self, start):
        part = self.data[start : start + 2]
        if self.use_cuda == "batch":  # want: PF403 note
            return part.cuda()
        return part


print(Loader().batch(2))
