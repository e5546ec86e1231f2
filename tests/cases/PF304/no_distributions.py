"""Distributions of numbers and of 0-dim tensors, of the input's tensors, and one whose sample only the CPU reads; a prior that is kept."""
import torch
from torch import nn
from torch.distributions import Categorical, MultivariateNormal, Normal


class Sampler(nn.Module):
    def __init__(self):
        super().__init__()
        self.mean = nn.Linear(3, 2)
        self.prior = MultivariateNormal(torch.zeros(2), torch.eye(2))

    def forward(self, x):
        mean = self.mean(x)
        standard = Normal(torch.tensor(0.0), torch.tensor(1.0))
        likelihood = standard.log_prob(mean).sum() + Normal(0.0, 1.0).log_prob(mean).sum()
        actions = Categorical(logits=mean)
        count = Categorical(torch.ones(3)).sample().item()
        return likelihood + actions.log_prob(actions.sample()).sum() + 0 * count, self.prior.mean.shape


device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
torch.manual_seed(1)
print(Sampler().to(device)(torch.ones(4, 3, device=device))[0].item() < 100)
