# Layers that one assignment makes together, and one with an annotation, are layers.
# run: print(Coder().to("cuda" if torch.cuda.is_available() else "cpu").coded(torch.ones(2, 3)).shape)
import torch
from torch import nn


class Coder(nn.Module):
    def __init__(self):
        super().__init__()
        self.mean: nn.Module = nn.Linear(3, 2)
        self.scale, self.out = nn.Linear(3, 2), nn.Linear(2, 3)

    def coded(self, x):
        x = x.to(self.out.weight.device)
        return self(x)

    def forward(self, x):
        scale = torch.exp(0.5 * self.scale(x))
        noise = torch.randn(scale.size())  # want: PF304
        return self.out(self.mean(x) + noise * scale) * 0
