"""An attribute that holds whether CUDA is available goes with the last guard that reads it, and its comment with it."""
# run: t = Trainer(); print(t.step(torch.ones(2, 3)).sum().item(), t.guess(torch.ones(2, 3)).sum().item())
# run: print(local(torch.ones(2, 3)).shape)
# run: k = Keeps(); print(k.step(torch.ones(2, 3)).sum().item(), k.on_gpu == torch.cuda.is_available())
import torch
from torch import nn


class Trainer:
    def __init__(self):
        self.device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
        self.net = nn.Linear(3, 1).to(self.device)
        nn.init.ones_(self.net.weight)

        # use CUDA if it is available
        if torch.cuda.is_available():
            self._cuda = True
        else:
            self._cuda = False

    def step(self, x):
        x = torch.relu(x)
        if self._cuda:  # want: PF403
            x = x.cuda()
        return self.net(x) - self.net.bias

    def guess(self, x):
        x = torch.relu(x)
        if self._cuda:  # want: PF403
            x = x.cuda()
        return self.net(x) - self.net.bias


class Keeps:
    def __init__(self):
        self.device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
        self.net = nn.Linear(3, 1).to(self.device)
        nn.init.ones_(self.net.weight)
        self.gpu = torch.cuda.is_available()

    @property
    def on_gpu(self):
        return self.gpu

    def step(self, x):
        x = torch.relu(x)
        if self.gpu:  # want: PF403
            x = x.cuda()
        return self.net(x) - self.net.bias


def local(x):
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    net = nn.Linear(3, 1).to(device)
    if torch.cuda.is_available():
        use_cuda = True
    else:
        use_cuda = False
    x = torch.relu(x)
    if use_cuda:  # want: PF403
        x = x.cuda()
    return net(x)
