# message: RuntimeError: expected self and mask to be on the same device, but got mask on cpu and self on cuda:0
# rules: PF304
import torch
from torch import nn

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.head = nn.Linear(4, 4)

    def forward(self, x):
        mask = torch.ones(4, 4).triu(1).bool()
        return self.head(x).masked_fill(mask, 0.0)


model = Net().to(device)
model(torch.randn(4, 4).to(device))
