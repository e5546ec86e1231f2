"""A cell that is given a state in two halves takes both or none: that one of them is proven to fail does not repair it alone."""
import torch
from torch import nn


class Sequence(nn.Module):
    def __init__(self):
        super().__init__()
        self.cell = nn.LSTMCell(1, 5)
        self.linear = nn.Linear(5, 1)

    def forward(self, input):
        outputs = []
        h_t = torch.zeros(input.size(0), 5)  # want: PF308 unsafe
        c_t = torch.zeros(input.size(0), 5)  # want: PF308 unsafe, warning
        for input_t in input.split(1, dim=1):
            h_t, c_t = self.cell(input_t, (h_t, c_t))
            outputs += [self.linear(h_t)]
        return torch.cat(outputs, dim=1)


device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
print(Sequence().to(device)(torch.randn(4, 6).to(device)).shape)
