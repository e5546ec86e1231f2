"""The argument asks a tensor for its GPU: its device says the same, and is one without CUDA, too."""
import torch
from torch import nn


class Graph(nn.Module):
    def __init__(self, n):
        super().__init__()
        self.adjacency = torch.eye(n)
        self.mix = nn.Conv2d(3, 3, 1)

    def forward(self, x):
        a = self.adjacency.to(x.device)  # want: PF401
        y = torch.zeros(x.shape).to(x.device, non_blocking=True)  # want: PF401
        weight = torch.ones(3, 1, 1, device=self.mix.weight.device)  # want: PF401
        return self.mix(x).matmul(a) * weight + y


def loss(output, target):
    weight = torch.ones(output.shape[1], device=output.device)  # want: PF401
    weight = weight * torch.ones(output.shape[1], device=output.device)  # want: PF401
    return ((output - target) ** 2 * weight.view(1, -1, 1, 1)).mean()


# run: net = Graph(4).to("cuda" if torch.cuda.is_available() else "cpu")
# run: x = torch.ones(2, 3, 4, 4, device=net.mix.weight.device)
# run: print(loss(net(x), x).item() >= 0)
