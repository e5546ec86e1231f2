# options: unsafe
# Another function reads the device of an argument of the same name. Without a method of tensors, the argument may be a number: then only
# another method of the class counts.
# given: from drive import device
# run: flip(torch.ones(2, 3, device=device), 1)
# run: Warp().scaled(torch.ones(2, 2, device=device), 0.5)
import torch


def flip(x, dim):
    order = torch.arange(x.size(dim) - 1, -1, -1)  # want: PF302 safe, warning
    return x.index_select(dim, order)


class Warp:
    def scaled(self, x, low):
        ratios = torch.tensor([[low, 2.0]])  # want: PF302 unsafe, warning
        return x * ratios

    def shifted(self, x):
        return x + torch.ones(2, device=x.device)
