import torch
from torch import nn

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
torch.manual_seed(0)
x = torch.randn(3, 4).to(device)


class Moves(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(4, 2)

    def forward(self, x):
        return self.fc(x.to(self.fc.weight.device))


class Placed(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(4, 2)
        self.to(device)

    def forward(self, x):
        return self.fc(x)


class Whole(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(4, 2)

    def forward(self, x):
        mask = torch.ones(4, device=x.device)
        return self.fc(x * mask)


one, two = nn.Linear(4, 2), nn.Linear(4, 2)
for module in [one, two]:
    module.to(device)
many = [nn.Linear(4, 2), nn.Linear(4, 2)]
many = [m.to(device) for m in many]
named = {"a": nn.Linear(4, 2)}
for m in named.values():
    m.to(device)
part = nn.Linear(4, 2)
whole = nn.Sequential(part, nn.ReLU())
whole.to(device)
later = nn.Linear(4, 2)
if torch.cuda.is_available():
    later.cuda()
moves, placed = Moves(), Placed()
for net in (one, two, *many, named["a"], part, whole, later, moves, placed, Whole().to(device)):
    print(tuple(net(x).shape))
