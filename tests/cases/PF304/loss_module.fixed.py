import torch
from torch import nn


class Margin(nn.Module):
    def forward(self, scores, target):
        count = scores.size(0)
        same = target.unsqueeze(0) == target.unsqueeze(1)
        diagonal = torch.eye(count, device=same.device).bool()  # want: PF304
        same = same & ~diagonal
        one_hot = torch.zeros(  # want: PF304
            count,
            scores.size(1), device=scores.device,  # classes
        )
        picked = (scores * one_hot.scatter(1, target.unsqueeze(1), 1.0)).sum(1)
        return (1 - picked).clamp(min=0).mean() + same.float().mean()


device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
torch.manual_seed(1)
net = Margin().to(device)
scores = torch.randn(4, 3).to(device)
target = torch.tensor([0, 1, 2, 1]).to(device)
print(f"{net(scores, target).item():.4f}")
