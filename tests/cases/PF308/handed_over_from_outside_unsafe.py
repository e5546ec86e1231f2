# options: unsafe
import torch
import torch.nn as nn


class Model(nn.Module):
    def __init__(self, n=4, h=6):
        super().__init__()
        self.h = h
        self.lstm = nn.LSTM(n, h, batch_first=True)

    def init_hidden(self, batch):
        return (
            torch.zeros(1, batch, self.h),  # want: PF308 unsafe, warning
            torch.zeros(1, batch, self.h),  # want: PF308 unsafe, warning
        )

    def forward(self, x, hidden):
        y, hidden = self.lstm(x, hidden)
        return y[:, -1], hidden


class Stateful(nn.Module):
    def __init__(self, n=4, h=6):
        super().__init__()
        self.h = h
        self.gru = nn.GRU(n, h)
        self.hidden = self.zero_state()

    def zero_state(self):
        state = torch.randn(1, 1, self.h)  # want: PF308 unsafe, warning
        return state

    def forward(self, x):
        y, self.hidden = self.gru(x, self.hidden)
        return y

# run: torch.manual_seed(1)
# run: device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
# run: model = Model().to(device)
# run: print(model(torch.ones(2, 3, 4).to(device), model.init_hidden(2))[0].shape)
# run: model = Stateful().to(device)
# run: model.hidden = model.zero_state()
# run: print(model(torch.ones(3, 1, 4).to(device)).shape)
