"""A module for others, which may place it, with a trial at the end of its file."""
import torch
from torch import nn


class Noisy(nn.Module):
    def __init__(self):
        super().__init__()
        self.lin = nn.Linear(3, 3)

    def forward(self, x):
        mask = torch.ones(3, 3, device=x.device)  # want: PF304
        return self.lin(x) + mask


def noisy():
    return Noisy()


if __name__ == "__main__":
    net = Noisy()
    print(net(torch.ones(3, 3)).shape)
# run: net = Noisy().to("cuda" if torch.cuda.is_available() else "cpu")
# run: print(net(torch.ones(3, 3).to(next(net.parameters()).device)).shape)
