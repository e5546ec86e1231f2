"""What a private function makes only for a parameter that no call gives is never made."""
import torch
from torch import nn


class Shifts(nn.Module):
    def _shift(self, x, zero_triu=False):
        x = x[1:].repeat(2, 1)
        if zero_triu:
            ones = torch.ones((x.size(0), x.size(1)))  # want: PF304 unsafe, warning
            x = x * torch.tril(ones)
        return x

    def _scaled(self, x, flip=False):
        if flip:
            x = x * torch.ones((x.size(0), x.size(1)))  # want: PF304
        return x

    def forward(self, x):
        return self._shift(x) + self._scaled(x, True)


device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
print(Shifts().to(device)(torch.ones(2, 3).to(device)).shape)
