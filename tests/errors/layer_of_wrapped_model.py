# message: AttributeError: 'DataParallel' object has no attribute 'fc'
# rules: PF113
import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(4, 2)

    def forward(self, x):
        return self.fc(x)


device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
model = nn.DataParallel(Net().to(device))
optimizer = torch.optim.SGD(model.fc.parameters(), lr=0.1)
