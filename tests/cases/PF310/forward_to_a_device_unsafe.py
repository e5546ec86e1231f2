# options: unsafe
# `forward` reads its input by numpy, and what is computed of it goes to the device of the module again.
# given: from drive import device
import numpy as np
import torch
from torch import nn


class Sorted(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(3, 2)

    def forward(self, x):
        rows = np.sort(x.numpy())  # want: PF310 unsafe, warning
        if torch.cuda.is_available():
            rows = torch.from_numpy(rows).float().to("cuda:0")
        else:
            rows = torch.from_numpy(rows).float()
        return self.fc(rows)


class Counted(nn.Module):
    def __init__(self, use_cuda):
        super().__init__()
        self.use_cuda = use_cuda
        self.fc = nn.Linear(3, 2)

    def forward(self, x):
        counts = np.zeros(x.shape)
        found = x[:, :].numpy()  # want: PF310 unsafe, warning
        for number, row in enumerate(found):
            counts[number] = row.cumsum()
        if self.use_cuda:
            counts = torch.from_numpy(counts).cuda().float()
        else:
            counts = torch.from_numpy(counts).float()
        return self.fc(counts)


# run: torch.manual_seed(0)
# run: x = torch.ones(2, 3).to(device)
# run: print(Sorted().to(device)(x).sum().item(), Counted(torch.cuda.is_available()).to(device)(x).sum().item())
