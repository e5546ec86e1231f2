# The halves of a state are made in one tuple, and a method places the one that a creation makes on the CPU.
import torch
import torch.nn as nn

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
rnn = nn.LSTM(3, 4, batch_first=True).to(device)
x = torch.ones(2, 5, 3).to(device)
state = torch.zeros(1, 2, 4).to(device), torch.zeros(2, 2, 2).float().to(device).view(1, 2, 4)
print(rnn(x, state)[0].shape)
