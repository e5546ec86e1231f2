# A tensor that einops rearranges is made on the device of the input, is moved afterwards, or meets nothing.
# run: device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
# run: print(Mean().to(device)(torch.ones(3, 2, device=device)))
import torch
from einops import rearrange, repeat
from torch import nn


class Mean(nn.Module):
    def forward(self, x):
        count = torch.arange(1, x.shape[0] + 1, device=x.device).float()
        mean = x.cumsum(dim=0) / rearrange(count, "n -> n 1")
        later = rearrange(torch.arange(x.shape[0]), "n -> n 1").to(x.device)
        alone = repeat(torch.arange(x.shape[0]), "n -> b n", b=2)
        return (mean + later).sum(), alone.sum()


device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
model = Mean().to(device)
