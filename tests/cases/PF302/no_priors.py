# options: unsafe
"""Distributions that lie where they are used: of numbers, on the device, of what is given, or met on the CPU."""
import torch
from torch import nn
from torch.distributions import Categorical, Normal, kl_divergence

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
net = nn.Linear(4, 2).to(device)


def numbers(x):
    prior = Normal(0.0, 1.0)
    other = Normal(torch.tensor(0.0), torch.tensor(1.0))
    z = net(x.to(device))
    return prior.log_prob(z) + other.log_prob(z)


def on_the_device(x):
    prior = Normal(torch.zeros(2, device=device), torch.ones(2).to(device))
    z = net(x.to(device))
    return prior.log_prob(z), kl_divergence(Normal(z, z.exp()), prior)


def on_the_host(x):
    prior = Normal(torch.zeros(2), torch.ones(2))
    return prior.log_prob(net(x.to(device)).cpu()), prior.sample((3,)).to(device)


def given(x, mean, scale):
    prior = Normal(mean, scale)
    return prior.log_prob(net(x.to(device)))


def with_options(x, **options):
    prior = Normal(torch.zeros(2, **options), torch.ones(2, **options))
    return prior.log_prob(net(x.to(device)))


def like(x):
    z = net(x.to(device))
    prior = Normal(torch.zeros_like(z), torch.ones_like(z))
    actions = Categorical(logits=z)
    return kl_divergence(Normal(z, z.exp()), prior), actions.log_prob(actions.sample())
