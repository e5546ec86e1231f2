# `mask.to(dtype)` leaves the mask on the CPU, where it is joined with another tensor of the CPU.
import torch
from torch import nn


def make_mask(n, dtype: torch.dtype, past: int = 0):
    mask = torch.full((n, n), torch.tensor(torch.finfo(dtype).min))
    mask = mask.to(dtype)
    if past > 0:
        mask = torch.cat([torch.zeros(n, past, dtype=dtype), mask], dim=-1)
    return mask


class Decoder(nn.Module):
    def __init__(self):
        super().__init__()
        self.embed = nn.Embedding(10, 4)

    def forward(self, ids, past):
        embeds = self.embed(ids)
        weight_dtype = embeds.dtype
        return make_mask(4, weight_dtype, past=past).to(embeds.device) + embeds
