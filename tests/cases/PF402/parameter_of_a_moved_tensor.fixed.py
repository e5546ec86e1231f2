"""What is moved before it becomes a Parameter, and what is computed with one, may go where the rest goes."""
import torch
from torch import nn

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")


class Scale(nn.Module):
    def __init__(self):
        super().__init__()
        self.weight = nn.Parameter(torch.ones(5, device=device))  # want: PF402
        bias = nn.Parameter(torch.ones(5))
        self.start = 2 * bias.to(device).sum().item()  # want: PF402

    def forward(self, x):
        return x * self.weight + self.start


net = Scale().to(device)
print(len(list(net.parameters())), net(torch.ones(5).to(device)).sum().item())
