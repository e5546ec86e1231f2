# The layers of a module are those of its base.
import torch
from torch import nn

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(3, 2)

    def forward(self, x):
        return self.fc(x)


class Wide(Net):
    """The same with another name."""


student = Net().to(device)
teacher = Wide()  # want: PF112
x = torch.ones(2, 3).to(device)
print((student(x) * 0 + teacher(x) * 0).sum().item())
