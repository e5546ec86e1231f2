# All items of a list go into one tensor, whatever branch of the loop has made them: if only one branch ran, all were on the CPU.
import torch
import torch.nn as nn


class Lagged(nn.Module):
    def forward(self, x: torch.Tensor, lags):
        found = []
        for lag in lags:
            if lag < 0:
                found.append(torch.zeros(x.shape[0], 1))
                continue
            found.append(torch.cat([torch.zeros(x.shape[0], 1), x], dim=1)[:, :1])  # want: PF304 unsafe
        return torch.stack(found, -1)
