# A tensor that is made only while a graph is recorded: the input is a proxy there.
# not run: a tracer runs the arm
import torch
from torch import nn
from transformers.utils import is_torch_fx_proxy


class Decoder(nn.Module):
    def __init__(self):
        super().__init__()
        self.embed = nn.Embedding(10, 3)

    def shift(self, ids):
        if is_torch_fx_proxy(ids):
            shifted = torch.full(ids.shape[:-1] + (1,), 1)
            return torch.cat([shifted, ids[..., :-1]], dim=-1)
        shifted = ids.new_zeros(ids.shape)
        shifted[..., 1:] = ids[..., :-1]
        return shifted

    def forward(self, ids):
        return self.embed(self.shift(ids))
