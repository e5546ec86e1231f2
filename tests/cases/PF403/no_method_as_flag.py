"""self.cuda is the method here, which is always true."""
import torch
from torch import nn


class Net(nn.Module):
    def forward(self, x):
        grid = torch.ones(x.shape)
        if self.cuda:  # want: PF403 note
            grid = grid.cuda()
        return x * grid
