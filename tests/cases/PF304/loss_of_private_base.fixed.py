# A loss that derives from the private base class of torch's losses.
# run: print(Decorrelation()(torch.ones(4, 3, device=DEVICE), torch.ones(4, 3, device=DEVICE)).item())
import torch
from torch.nn.modules.loss import _Loss, _WeightedLoss

DEVICE = torch.device("cuda" if torch.cuda.is_available() else "cpu")


class Decorrelation(_Loss):
    def forward(self, input: torch.Tensor, target: torch.Tensor) -> torch.Tensor:
        c = torch.mm(input.t(), target) / input.shape[0]
        return (c - torch.eye(c.size(0), device=c.device)).pow_(2).sum()  # want: PF304


class Weighted(_WeightedLoss):
    def forward(self, input, target):
        return (input - target).sum() * self.weight.sum() + torch.eye(3)[0, 0].item()


print(Weighted(torch.ones(3))(torch.ones(3), torch.ones(3)).item())
