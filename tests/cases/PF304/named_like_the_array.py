import numpy as np
import torch
import torch.nn as nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(4, 2)

    def forward(self, x, sizes):
        order = np.argsort(sizes)
        sizes = torch.FloatTensor(sizes[order]).unsqueeze(1)  # want: PF304
        return self.fc(x) / sizes.expand_as(self.fc(x))
# run: import drive
# run: net = Net().to(drive.device)
# run: net(torch.ones(3, 4).to(drive.device), np.ones(3))
