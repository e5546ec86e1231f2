# options: unsafe
# The first state of a recurrent layer stays on the CPU, although `forward` keeps the layer's next one in its place.
# run: print(Filter().to(device)(torch.ones(5, 1, 1).to(device)).sum())
import torch
from torch import nn

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")


class Filter(nn.Module):
    def __init__(self):
        super().__init__()
        self.gru = nn.GRU(1, 4)
        self.register_buffer("state", torch.zeros(1, 1, 4), persistent=False)  # want: PF305 unsafe

    def forward(self, rows):
        out, self.state = self.gru(rows, self.state)
        return out
