"""A tensor that collects gradients, and that a module keeps as a plain attribute: it fails as any other; a parameter is the repair."""
import torch
from torch import nn


class Attention(nn.Module):
    def __init__(self):
        super().__init__()
        self.weigh = nn.Linear(3, 3)
        self.score = torch.rand(3, requires_grad=True)  # want: PF305 report
        self.bias = torch.zeros(3).requires_grad_()  # want: PF305 report
        self.shown = nn.Parameter(torch.ones(3), requires_grad=True)

    def forward(self, x):
        return torch.tanh(self.weigh(x) + self.bias + self.shown) @ self.score


device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
net = Attention().to(device)
print(net(torch.ones(2, 3).to(device)).shape)
