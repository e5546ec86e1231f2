# options: unsafe
"""Methods of a plain attribute meet their arguments as operators and functions do: the schedules of a diffusion model."""
import torch
from torch import nn


def extract(values, steps, shape):
    return values.gather(-1, steps).reshape(steps.shape[0], *((1,) * (len(shape) - 1)))


class Diffusion(nn.Module):
    def __init__(self, model, steps=10):
        super().__init__()
        self.model = model
        self.steps = steps
        betas = torch.linspace(0.1, 0.2, steps)
        self.register_buffer("kept", torch.sqrt(1 - betas), persistent=False)  # want: PF305 unsafe
        self.register_buffer("noise", torch.sqrt(betas), persistent=False)  # want: PF305 unsafe

    def forward(self, x):
        steps = torch.randint(0, self.steps, (x.shape[0],), device=x.device).long()
        mixed = extract(self.kept, steps, x.shape) * x + self.noise.gather(-1, steps).view(-1, 1)
        return self.model(mixed).mean()


class Weighted(nn.Module):
    def __init__(self):
        super().__init__()
        self.linear = nn.Linear(3, 2)
        self.register_buffer("weights", torch.ones(2), persistent=False)  # want: PF305 unsafe

    def forward(self, x):
        return self.weights.mul(self.linear(x)).sum()


device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
torch.manual_seed(1)
x = torch.ones(4, 3).to(device)
print(f"{Diffusion(nn.Linear(3, 2)).to(device)(x).item():.2f} {Weighted().to(device)(x).item():.4f}")
