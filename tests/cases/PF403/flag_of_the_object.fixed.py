"""A device chosen in a method by a flag that only the constructor sets stays true all through the method."""
import torch
from torch import nn


class Fit:
    def __init__(self, use_cuda):
        self.use_cuda = use_cuda
        self.model = nn.Linear(2, 1)

    def run(self, batches):
        if self.use_cuda:
            device = torch.device("cuda")
        else:
            device = torch.device("cpu")
        self.model.to(device)
        total = 0.0
        for _ in range(batches):
            x = torch.ones(1, 2, device=device)  # want: PF403
            total += self.model(x).item()
        return total


print(Fit(torch.cuda.is_available()).run(2) is not None)
