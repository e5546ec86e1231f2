"""Distributions are where the tensors are that they are made of: what they give meets the input, and so does what they compare."""
import torch
from torch import nn
from torch.distributions import Normal, kl_divergence


class Encoder(nn.Module):
    def __init__(self):
        super().__init__()
        self.mean = nn.Linear(3, 2)

    def forward(self, x):
        noise = Normal(torch.zeros(2, device=x.device), torch.ones(2, device=x.device))  # want: PF304 # want: PF304
        return self.mean(x) + 0 * noise.rsample()


class Posterior(nn.Module):
    def __init__(self):
        super().__init__()
        self.mean = nn.Linear(3, 2)

    def forward(self, x):
        mean = self.mean(x)
        prior = Normal(torch.zeros_like(mean), torch.ones(2, device=mean.device))  # want: PF304
        return kl_divergence(Normal(mean, 1.0), prior).sum()


device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
torch.manual_seed(1)
x = torch.ones(4, 3, device=device)
print(f"{Encoder().to(device)(x).sum().item():.4f} {Posterior().to(device)(x).item():.4f}")
