# options: unsafe
"""A class of the file has a device of its own, which may be one derived from another: no object gets one."""
# run: print(Known(3).fill(2).shape)
import torch


class Known:
    device = "?"

    def __init__(self, size):
        self.size = torch.ones(size).cuda()  # want: PF401 unsafe

    def fill(self, count):
        return torch.ones(count).cuda() * self.size.sum()  # want: PF401 unsafe
