# options: unsafe
# run: print(Wrapper(nn.Linear(2, 1), torch.cuda.is_available()).module.weight.shape, Wrapper(nn.Linear(2, 1)).module.weight.shape)
"""Whether to place at all is asked first, with the same parameter: it is the guard inside that chooses."""
import torch
from torch import nn


class Wrapper:
    def __init__(self, module, cuda=None):
        self.module = module
        if cuda is not None:
            device = torch.device("cuda" if cuda else "cpu")
            # want: PF403 unsafe
            self.module = self.module.to(device)
