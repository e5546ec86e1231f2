import torch
import torch.nn as nn

from library import remember

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
rnn = nn.LSTM(4, 2).to(device)


def run(x, n):
    state = (torch.zeros(1, n, 2), torch.zeros(1, n, 2))
    remember(state)
    placed = tuple(part.to(device) for part in state)
    out, _ = rnn(x.to(device), placed)
    return out
