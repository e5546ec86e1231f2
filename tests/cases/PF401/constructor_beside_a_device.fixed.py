# options: unsafe
"""A class of the file has a device of its own, which may be one derived from another: no object gets one."""
# run: print(Known(3).fill(2).shape)
import torch


class Known:
    device = "?"

    def __init__(self, size):
        device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
        self.size = torch.ones(size, device=device)  # want: PF401 unsafe

    def fill(self, count):
        device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
        return torch.ones(count, device=device) * self.size.sum()  # want: PF401 unsafe
