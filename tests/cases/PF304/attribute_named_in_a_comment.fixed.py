# The comment names an attribute as an assignment would: the class sets it once all the same, to a module that is read.
# run: device = "cuda" if torch.cuda.is_available() else "cpu"
# run: print(Encoder(4).to(device)(3).sum().item())
import torch
from torch import nn


class Waves(nn.Module):
    def __init__(self, dim):
        super().__init__()
        self.register_buffer("inverse", 1 / torch.arange(1.0, dim + 1.0))

    def forward(self, positions):
        return torch.ger(positions, self.inverse).sin()


class Encoder(nn.Module):
    def __init__(self, dim):
        super().__init__()
        # self.waves = nn.Embedding(10, dim)
        self.waves = Waves(dim)

    def forward(self, n):
        positions = torch.arange(0, n, 1, device=self.waves.inverse.device)  # want: PF304
        return self.waves(positions)
