"""What has parameters needs a place, however small it is."""
import torch
from torch import nn

torch.manual_seed(0)
device = torch.device("cuda" if torch.cuda.is_available() else "cpu")


class Scaled(nn.Module):
    def __init__(self):
        super().__init__()
        self.norm = nn.BatchNorm1d(3)

    def forward(self, x):
        return self.norm(x)


scaled = nn.DataParallel(Scaled().to(device))  # want: PF103
x = torch.randn(4, 3).to(device)
print(scaled(x).shape)
