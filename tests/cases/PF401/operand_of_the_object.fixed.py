# A tensor that a method makes meets one that the object holds, or an argument: it takes that device.
# given: import torch
# run: batch = Batch(torch.ones(2, 3)); batch.extend(); print(batch.mask.shape, batch.shift(torch.ones(2, 2)), batch.kept(torch.tensor([1, 3])))
import torch


class Batch:
    def __init__(self, mask):
        self.mask = mask

    def extend(self):
        more = torch.ones((self.mask.shape[0], 1), device=self.mask.device)  # want: PF401
        self.mask = torch.cat((self.mask, more), dim=-1)

    def shift(self, x):
        return x.view(-1) + torch.arange(x.numel(), device=x.device)  # want: PF401

    def kept(self, lengths):
        return torch.arange(4, device=lengths.device) < lengths.unsqueeze(1)  # want: PF401
