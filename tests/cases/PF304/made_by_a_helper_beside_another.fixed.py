# A helper makes a mask of two tensors on the CPU; the module that gets it needs it on the device of its input.
# run: net = Decoder().to("cuda" if torch.cuda.is_available() else "cpu")
# run: print(net(torch.tensor([1, 2], device=net.embed.weight.device), 2).shape)
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
        return make_mask(2, embeds.dtype, past=past).to(embeds.device) + embeds  # want: PF304
