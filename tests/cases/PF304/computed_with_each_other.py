"""What is computed with each other is moved by one fix: the product fails where one factor alone is moved."""
import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.l = nn.Linear(3, 3)

    def forward(self, x):
        noise = torch.ones(3) * torch.randn(3)  # want: PF304  # want: PF304
        return self.l(x) + noise


# run: at = "cuda" if torch.cuda.is_available() else "cpu"
# run: print(Net().to(at)(torch.zeros(2, 3).to(at)).shape)
