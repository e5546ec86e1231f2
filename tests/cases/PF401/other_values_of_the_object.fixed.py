# Not the device of an attribute that the value does not meet on every path, that may be a number, or that may have no dimension.
# run: batch = Batch(torch.ones(2, 3), 2); print(batch.counted(), batch.rows(True), batch.scaled(), batch.listed())
import torch


class Batch:
    def __init__(self, mask, size):
        self.mask = mask
        self.size = size
        self.scale = torch.tensor(2.0)
        self.lengths = [1, 2]
        self.device = torch.device("cuda" if torch.cuda.is_available() else "cpu")

    def counted(self):
        return torch.arange(self.size, device=self.device)  # want: PF401

    def rows(self, short):
        rows = torch.arange(self.mask.shape[0], device=self.device)  # want: PF401
        return rows if short else rows + self.mask.shape[1]

    def scaled(self):
        return torch.ones(3, device=self.device) * self.scale.clone()  # want: PF401

    def listed(self):
        return torch.ones(2, device=self.device) + torch.tensor(
            self.lengths, device=self.device
        )  # want: PF401 # want: PF401
