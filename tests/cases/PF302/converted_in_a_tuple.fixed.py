# Both halves of a state are made in one tuple, one of them by a method of the creation: both are moved where they are made.
import torch
import torch.nn as nn

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")


class Tagger(nn.Module):
    def __init__(self):
        super().__init__()
        self.rnn = nn.LSTM(3, 4, batch_first=True)

    def start(self, n):
        return (
            torch.zeros(1, n, 4, device=device).float(),
            torch.zeros(1, n, 4, device=device),
        )  # want: PF302 # want: PF302

    def forward(self, x, state):
        y, _ = self.rnn(x, state)
        return y


tagger = Tagger().to(device)
x = torch.ones(2, 5, 3).to(device)
print(tagger(x, tagger.start(2)).shape)
state = (
    torch.zeros(1, 2, 4, device=device),
    torch.zeros(2, 2, 2, device=device).float().view(1, 2, 4),
)  # want: PF302 # want: PF302
print(tagger(x, state).shape)
