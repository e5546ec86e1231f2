# message: RuntimeError: Input type (torch.cuda.FloatTensor) and weight type (torch.FloatTensor) should be the same
# rules: PF306
# fix: unsafe
import torch
from torch import nn

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.first = nn.Conv2d(3, 3, 3)
        self.layers = [nn.Conv2d(3, 3, 3), nn.Conv2d(3, 3, 3)]

    def forward(self, x):
        x = self.first(x)
        for layer in self.layers:
            x = layer(x)
        return x


model = Net().to(device)
model(torch.randn(2, 3, 16, 16).to(device))
