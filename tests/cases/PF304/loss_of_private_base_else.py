# Losses of torch's private base classes that read only the shape of what they make, or make it on the device of their input.
import torch
from torch.nn.modules.loss import _Loss, _WeightedLoss


class Decorrelation(_Loss):
    def forward(self, input: torch.Tensor, target: torch.Tensor) -> torch.Tensor:
        c = torch.mm(input.t(), target) / input.shape[0]
        return (c - torch.eye(c.size(0), device=c.device)).pow_(2).sum()


class Weighted(_WeightedLoss):
    def forward(self, input, target):
        return (input - target).sum() * self.weight.sum() + torch.eye(3)[0, 0].item()


device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
print(Decorrelation().to(device)(torch.ones(4, 3, device=device), torch.ones(4, 3, device=device)).item())
print(Weighted(torch.ones(3)).to(device)(torch.ones(3, device=device), torch.ones(3, device=device)).item())
