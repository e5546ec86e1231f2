import numpy as np
import torch
from torch import nn


class Scaled(nn.Module):
    """Numbers of the CPU go with everything."""

    def __init__(self, table):
        super().__init__()
        self.table = table

    def forward(self, x: torch.Tensor):
        gain = torch.from_numpy(np.array(3.0))
        row = torch.from_numpy(np.asarray(self.table["gain"])).float()
        return x * gain + row


device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
print(Scaled({"gain": 2.0}).to(device)(torch.ones(2, 2, device=device)).sum().item())
