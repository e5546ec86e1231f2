# options: unsafe
import torch
import torch.nn as nn


class Moved(nn.Module):
    def __init__(self, n=4, h=6):
        super().__init__()
        self.h = h
        self.lstm = nn.LSTM(n, h, batch_first=True)

    def init_hidden(self, batch):
        weight = next(self.parameters())
        return weight.new_zeros(1, batch, self.h), weight.new_zeros(1, batch, self.h)

    def zero_state(self, batch):
        return torch.zeros(1, batch, self.h).to(self.lstm.weight_hh_l0.device)

    def init_state(self, batch):
        return torch.zeros(2, 1, batch, self.h)

    def initialize_state_sizes(self):
        return 1, self.h

    def forward(self, x, hidden):
        y, hidden = self.lstm(x, hidden)
        return y[:, -1], hidden


class NoLayer(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(4, 4)

    def init_hidden(self, batch):
        return torch.zeros(batch, 4)

    def forward(self, x, hidden):
        return self.fc(x)


def run(model, x):
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    model = model.to(device)
    h, c = model.init_state(2)
    return model(x.to(device), (h.to(device), c.to(device)))[0].shape


print(run(Moved(), torch.ones(2, 3, 4)))
