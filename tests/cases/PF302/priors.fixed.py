# options: unsafe
"""A prior is made of tensors of the CPU, and meets what a placed module gives."""
# run: torch.manual_seed(0)
# run: x = torch.ones(3, 4)
# run: print("%.4f" % divergence(x).item(), "%.4f" % likelihood(x).item(), "%.4f" % Loss().prior_loss(x).item())
import torch
from torch import nn
from torch.distributions import Normal, kl_divergence

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")


class Encoder(nn.Module):
    def __init__(self):
        super().__init__()
        self.mean = nn.Linear(4, 2)
        self.scale = nn.Linear(4, 2)

    def forward(self, x):
        return self.mean(x), self.scale(x).exp()


def divergence(x):
    encoder = Encoder().to(device)
    prior = Normal(torch.zeros(2).to(device), torch.ones(2).to(device))  # want: PF302 unsafe
    mean, scale = encoder(x.to(device))
    return kl_divergence(Normal(mean, scale), prior).sum()


def likelihood(x):
    net = nn.Linear(4, 2).to(device)
    zeros = torch.zeros(2)
    prior = torch.distributions.Normal(
        loc=zeros.to(device), scale=torch.ones(2).to(device)
    )  # want: PF302 unsafe
    return prior.log_prob(net(x.to(device))).sum()


class Loss:
    def __init__(self):
        self.net = nn.Linear(4, 2).to(device)
        self.prior = Normal(torch.zeros(2).to(device), torch.ones(2).to(device))  # want: PF302 unsafe

    def prior_loss(self, x):
        x = x.to(device)
        return -self.prior.log_prob(self.net(x)).sum()
