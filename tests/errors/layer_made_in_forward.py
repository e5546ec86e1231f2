# message: RuntimeError: Input type (torch.cuda.FloatTensor) and weight type (torch.FloatTensor) should be the same
# rules: PF316
# fix: none
import torch
from torch import nn

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.first = nn.Conv2d(3, 3, 3)

    def forward(self, x):
        return nn.Conv2d(3, 2, 1)(self.first(x))


model = Net().to(device)
model(torch.randn(2, 3, 16, 16).to(device))
