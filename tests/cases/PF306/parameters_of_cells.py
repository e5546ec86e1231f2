# The parameters of the cells in a list are registered by names that are computed: the cells share them.
import torch
from torch import nn


class Cells(nn.Module):
    def __init__(self, layers):
        super().__init__()
        self.cells = []
        for layer in range(layers):
            self.cells.append(nn.LSTMCell(3, 3))
        for layer in range(layers):
            given = (self.cells[layer].weight_ih, self.cells[layer].weight_hh)
            for name, param in zip(("weight_ih_l{}", "weight_hh_l{}"), given):
                setattr(self, name.format(layer), param)

    def forward(self, x, state):
        for cell in self.cells:
            x, c = cell(x, state)
            state = x, c
        return x
