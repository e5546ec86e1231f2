# options: unsafe
"""Gamma, Chi2 and HalfCauchy move what their log_prob is asked about to where they lie."""
# run: print(likely(torch.full((2, 3), 0.5)) < 0)
import torch
from torch import nn
from torch.distributions import Chi2, Gamma, HalfCauchy

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
net = nn.Linear(3, 2).to(device)
shape = torch.ones(2)
gamma = Gamma(shape, torch.ones(2))
chi = Chi2(torch.ones(2))
cauchy = HalfCauchy(torch.ones(2))


def likely(x):
    rate = torch.sigmoid(net(x.to(device)))
    host = gamma.log_prob(rate) + chi.log_prob(rate) + cauchy.log_prob(rate)
    return host.sum().item()


if __name__ == "__main__":
    print(likely(torch.ones(2, 3)) < 0)
