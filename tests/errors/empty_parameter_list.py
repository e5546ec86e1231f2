# message: ValueError: optimizer got an empty parameter list
# rules: PF205
# fix: unsafe
import torch
from torch import nn

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")


class Scale(nn.Module):
    def __init__(self):
        super().__init__()
        self.scale = nn.Parameter(torch.ones(4)).to(device)

    def forward(self, x):
        return x * self.scale


optimizer = torch.optim.SGD(Scale().parameters(), lr=0.1)
