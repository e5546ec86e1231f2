# The array meets the created tensor below: it may be a number for all that the class shows, and it goes to its device with it. The numbers stay.
# run: print(Gather(2).to(there)(np.ones((4, 3), dtype=np.float32), torch.tensor([0, 0, 1, 1])).sum().item())
import numpy as np
import torch
import torch.nn as nn

there = torch.device("cuda" if torch.cuda.is_available() else "cpu")


class Gather(nn.Module):
    def __init__(self, rounds):
        super().__init__()
        self.rounds = rounds
        self.mix = nn.Parameter(torch.ones(3, 3))

    def forward(self, features, split):
        h = torch.zeros(2, 3, device=self.mix.device)  # want: PF304
        for _ in range(self.rounds):
            q = h[split] + torch.tensor(0.5) * torch.tensor(self.rounds)
            e = (torch.from_numpy(features).to(self.mix.device) * q).sum(dim=-1)  # want: PF304 warning
            h = torch.mm(h, self.mix) + e.mean()
        return h
