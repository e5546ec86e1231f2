"""A flag that is True in one arm of a test for CUDA and False in the other is that test: the device of the object fits."""
# run: t = Trainer(); print(t.step(torch.ones(2, 3)).shape, t.guess(torch.ones(2, 3)).shape, run(torch.ones(2)).shape)
import torch
from torch import nn

if torch.cuda.is_available():
    use_cuda = True
else:
    use_cuda = False
device = torch.device("cuda" if torch.cuda.is_available() else "cpu")


class Trainer:
    def __init__(self):
        self.device = torch.device("cuda") if torch.cuda.is_available() else torch.device("cpu")
        self.net = nn.Linear(3, 1).to(self.device)

    def step(self, x):
        x = torch.relu(x)
        # want: PF403
        x = x.to(self.device)
        return self.net(x)

    def guess(self, x):
        x = torch.relu(x)
        # want: PF403
        x = x.to(self.device)
        return self.net(x)


def run(x):
    # want: PF403
    x = x.to(device)
    return x + torch.ones(2, device=device)
