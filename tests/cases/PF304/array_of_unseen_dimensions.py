"""An array has a dimension, most likely; numpy may make one of a number."""
import numpy as np
import torch
from torch import nn


class Noisy(nn.Module):
    def __init__(self, gain):
        super().__init__()
        self.gain = gain
        self.linear = nn.Linear(3, 2)

    def forward(self, x):
        noise = torch.from_numpy(np.tanh(np.ones(x.shape))).float()  # want: PF304 warning
        gain = torch.from_numpy(np.asarray(self.gain)).float()
        return self.linear(x + noise) * gain


device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
torch.manual_seed(1)
print(f"{Noisy(2.0).to(device)(torch.ones(2, 3, device=device)).sum().item():.4f}")
