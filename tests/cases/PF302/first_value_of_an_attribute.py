# The first value of an attribute cannot be made on the device of that attribute.
import torch


class Lengths:
    def __init__(self, lengths):
        self.lengths = lengths.long() if torch.is_tensor(lengths) else torch.LongTensor(lengths)
        zero = torch.zeros(1, dtype=torch.long, device=self.lengths.device)
        self.offsets = torch.cat((zero, torch.cumsum(self.lengths, dim=0)))


class Beside:
    def __init__(self, packed, lengths):
        self.lengths = torch.LongTensor(lengths)
        self.packed = packed.to(self.lengths.device)
        self.total = self.lengths + self.packed
