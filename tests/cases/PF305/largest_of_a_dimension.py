# The second argument of `torch.max` is a number, and the tensors of the CPU meet no other ones.
import torch
import torch.nn as nn


class Masked(nn.Module):
    def __init__(self, dim):
        super().__init__()
        self.fc = nn.Linear(2, 2)
        self.dim = dim
        self.last = torch.tensor(-1).item()
        self.sizes = torch.tensor([1.0, 2.0])

    def forward(self, scores):
        largest, _ = torch.max(self.fc(scores), self.dim)
        least, _ = torch.min(scores, self.last)
        return largest.sum() + least.sum() + torch.max(self.sizes, 0)[0].item()


device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
print(Masked(1).to(device)(torch.ones(3, 2).to(device)).item())
