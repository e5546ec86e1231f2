"""A function of which `torch.fx` records a graph gets no device of its argument, which is a proxy then."""
# run: print(traced(torch.ones(2, 3).to(where)).shape)
import torch
from torch import nn
from torch.fx import symbolic_trace

where = torch.device("cuda" if torch.cuda.is_available() else "cpu")


class Shift(nn.Module):
    def forward(self, x):
        return x + torch.zeros(3).cuda()  # want: PF401


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(3, 3)
        self.shift = Shift()

    def forward(self, x):
        y = torch.ones(3).cuda()  # want: PF401
        return self.shift(self.fc(x)) + y


class Eager(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(3, 3)

    def forward(self, x):
        return self.fc(x) + torch.zeros(3).cuda()  # want: PF401


traced = symbolic_trace(Net().to(where))
