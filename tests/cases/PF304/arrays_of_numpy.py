# run: print(Causal(4).to("cuda" if torch.cuda.is_available() else "cpu")(torch.ones(2, 3, 4, device="cuda" if torch.cuda.is_available() else "cpu")).sum().item())
import numpy as np
import torch
from torch import nn


class Causal(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.project = nn.Linear(width, width)
        nn.init.ones_(self.project.weight)

    def forward(self, x):
        h = self.project(x)
        later = np.triu(np.ones((x.size(1), x.size(1))), k=1).astype("uint8")
        weights = torch.from_numpy(later).float()  # want: PF304
        return weights + h @ h.transpose(1, 2)
