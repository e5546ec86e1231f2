# options: unsafe
# The layer that gets the tensor is made in one arm of a test in the constructor: the code that calls it has it, but other code may not.
# run: net = Net(True).to(device)
# run: net(torch.ones(4, 3, device=device))
import torch
from torch import nn


class Net(nn.Module):
    def __init__(self, timed):
        super().__init__()
        self.timed = timed
        self.line = nn.Linear(3, 3)
        if timed:
            self.times = nn.Embedding(10, 3)

    def forward(self, x):
        x = self.line(x)
        if self.timed:
            steps = torch.zeros(len(x), dtype=torch.long, device=x.device)  # want: PF304
            x = x + self.times(steps)
        return x


device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
model = Net(True).to(device)
