# A list of each round holds the items of one branch only: the other branch is no part of the fix.
# run: print(Padded()(torch.ones(2, 3, device="cuda" if torch.cuda.is_available() else "cpu"), [-1, 1]).shape)
import torch
import torch.nn as nn


class Padded(nn.Module):
    def forward(self, x: torch.Tensor, lags):
        for lag in lags:
            pair = []
            if lag < 0:
                pair.append(torch.zeros(x.shape[0], 1))
            else:
                pair.append(torch.cat([torch.zeros(x.shape[0], 1), x], dim=1))  # want: PF304
            print(torch.cat(pair, 1).shape)
        return x
