import numpy as np
import torch
import torch.nn as nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(4, 2)

    def forward(self, x):
        steps = torch.zeros(2)  # want: PF304 report
        scale = torch.ones(2)  # want: PF304 report
        print(steps.detach().numpy(), np.mean(scale))
        return self.fc(x) + steps * scale
