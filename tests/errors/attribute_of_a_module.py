# message: RuntimeError: Expected all tensors to be on the same device, but found at least two devices, cuda:0 and cpu!
# rules: PF305
# fix: unsafe
import torch
from torch import nn

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.mean = torch.zeros(4)
        self.head = nn.Linear(4, 2)

    def forward(self, x):
        return self.head(x - self.mean)


model = Net().to(device)
model(torch.randn(8, 4).to(device))
