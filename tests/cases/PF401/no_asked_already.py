"""Code that asks where a tensor is, and guards (another rule's business)."""
import torch
from torch import nn


class Mask(nn.Module):
    def forward(self, x):
        mask = torch.ones(x.size(0))
        if x.is_cuda:
            mask = mask.cuda()
        return x * (mask.cuda() if x.is_cuda else mask)


device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
mask = Mask()
if device.type == "cuda":
    mask.cuda()
if torch.cuda.is_available():
    mask.cuda()
print(mask(torch.ones(2)))
