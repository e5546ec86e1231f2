import torch
from torch import nn

torch.manual_seed(0)
device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
net = nn.Linear(4, 2).to(device)
cell = nn.LSTMCell(4, 4).to(device)
out = net(torch.ones(3, 4).to(device))
extra = torch.zeros(3, 2, device=device)  # want: PF302
parts = [out, extra]
joined = torch.cat(parts, dim=1)
direct = torch.cat([out, torch.ones(3, 2).to(device), extra], dim=1)  # want: PF302
state = (torch.zeros(3, 4, device=device), torch.zeros(3, 4, device=device))  # want: PF302  # want: PF302
h, c = cell(torch.ones(3, 4).to(device), state)
print(joined.shape, direct.shape, h.shape)
h0 = torch.zeros(1, 3, 4, device=device)  # want: PF302
c0 = torch.zeros(1, 3, 4, device=device)  # want: PF302
lstm = nn.LSTM(4, 4, batch_first=True).to(device)
hidden = (h0, c0)
y, hidden = lstm(torch.randn(3, 2, 4).to(device), hidden)
print(y.shape)
mixed = torch.stack((out, extra))
print(mixed.shape)
