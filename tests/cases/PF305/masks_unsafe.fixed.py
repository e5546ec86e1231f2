# options: unsafe
import torch
from torch import nn


class Causal(nn.Module):
    def __init__(self, length, width):
        super().__init__()
        self.length = length
        self.register_buffer(
            "mask",
            torch.tril(torch.ones(length, length)).view(1, length, length),
            persistent=False,
        )  # want: PF305 unsafe
        self.project = nn.Linear(width, width)

    def forward(self, x):
        scores = x @ x.transpose(1, 2)
        scores = scores.masked_fill(self.mask == 0, float("-inf"))
        return self.project(scores.softmax(-1) @ x)


device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
torch.manual_seed(1)
net = Causal(5, 4).to(device)
x = torch.randn(2, 5, 4).to(device)
print(f"{net(x).sum().item():.4f}")
print(sorted(net.state_dict()))
