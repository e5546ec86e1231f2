# States that are moved by `forward`, set before the placement of no layer, or kept for something else.
import torch
from torch import nn

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")


class Moves(nn.Module):
    def __init__(self):
        super().__init__()
        self.gru = nn.GRU(1, 4)

    def forward(self, rows):
        self.state = self.state.to(rows.device)
        out, self.state = self.gru(rows, self.state)
        return out


class Replaces(nn.Module):
    def __init__(self):
        super().__init__()
        self.gru = nn.GRU(1, 4)

    def forward(self, rows):
        self.state = rows.new_zeros(1, 1, 4)
        return self.gru(rows, self.state)[0]


class Other(nn.Module):
    def __init__(self):
        super().__init__()
        self.gru = nn.GRU(1, 4)

    def forward(self, rows):
        return self.gru(rows)[0].cpu() + self.state


class Stays(nn.Module):
    def __init__(self):
        super().__init__()
        self.gru = nn.GRU(1, 4)

    def forward(self, rows):
        return self.gru(rows, self.state)[0]


for cls in (Moves, Replaces, Other):
    net = cls().to(device)
    net.state = torch.zeros(1, 1, 4)
    print(net(torch.ones(5, 1, 1).to(device)).sum())
moves, replaces, other = Moves().to(device), Replaces().to(device), Other().to(device)
moves.state = torch.zeros(1, 1, 4)
replaces.state = torch.zeros(1, 1, 4)
other.state = torch.zeros(1, 1, 4)
stays = Stays()
stays.state = torch.zeros(1, 1, 4)
there = Stays().to(device)
there.state = torch.zeros(1, 1, 4, device=device)
for net in (moves, replaces, other, there):
    print(net(torch.ones(5, 1, 1).to(device)).sum())
