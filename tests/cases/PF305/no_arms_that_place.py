# options: unsafe
import torch
import torch.nn as nn


class Placed(nn.Module):
    def __init__(self, cuda):
        super().__init__()
        self.fc = nn.Linear(8, 4)
        if cuda:
            self.scale = torch.ones(4).cuda()
        else:
            self.scale = torch.ones(4)

    def forward(self, x):
        return self.fc(x) * self.scale


class Again(nn.Module):
    def __init__(self, learn):
        super().__init__()
        self.fc = nn.Linear(8, 4)
        if learn:
            self.scale = nn.Parameter(torch.ones(4))
        else:
            self.scale = torch.ones(4)
        if not learn:
            self.scale = nn.Parameter(self.scale, requires_grad=False)

    def forward(self, x):
        return self.fc(x) * self.scale


class Numbers(nn.Module):
    def __init__(self, n):
        super().__init__()
        self.fc = nn.Linear(8, 4)
        for i in range(n):
            self.scale = torch.ones(4) * i
        if n:
            self.shift = torch.tensor(1.0)
        else:
            self.shift = torch.tensor(2.0)

    def forward(self, x):
        return self.fc(x) + self.shift


torch.manual_seed(1)
cuda = torch.cuda.is_available()
device = torch.device("cuda" if cuda else "cpu")
for net in (Placed(cuda), Again(False), Numbers(2)):
    print(f"{net.to(device)(torch.ones(2, 8).to(device)).sum().item():.4f}")
