# The state that `forward` gives a recurrent layer lies where the module is, also if other code sets it.
import torch
from torch import nn

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")


class Forecast(nn.Module):
    def __init__(self, size):
        super().__init__()
        self.size = size
        self.lstm = nn.LSTM(1, size)
        self.hidden = (torch.zeros(1, 1, size), torch.zeros(1, 1, size))

    def forward(self, rows):
        out, self.hidden = self.lstm(rows.view(rows.size(0), 1, -1), self.hidden)
        return out


class Filter(nn.Module):
    def __init__(self):
        super().__init__()
        self.gru = nn.GRU(1, 4)

    def forward(self, rows):
        return self.gru(rows, self.state)[0]


model = Forecast(3).to(device)
for _ in range(2):
    model.hidden = (
        torch.zeros(1, 1, model.size).to(device),  # want: PF302
        torch.zeros(1, 1, model.size).to(device),  # want: PF302
    )
    print(model(torch.ones(5, 1).to(device)).sum())
net = Filter().to(device)
start = torch.zeros(1, 1, 4, device=device)  # want: PF302
net.state = start
print(net(torch.ones(5, 1, 1).to(device)).sum())
