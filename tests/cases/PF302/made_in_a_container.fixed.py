import torch
import torch.nn as nn

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
torch.manual_seed(2)
net = nn.Linear(4, 2).to(device)
rnn = nn.LSTM(4, 2).to(device)


def unroll(steps, n):
    state = (
        torch.zeros(1, n, 2, device=device),  # want: PF302
        torch.zeros(1, n, 2, device=device),  # want: PF302
    )
    x = torch.ones(steps, n, 4).to(device)
    for step in range(steps):
        out, state = rnn(x[step : step + 1], state)
    return out


print(round(unroll(3, 2).sum().item(), 4))
given = (torch.ones(3, 4, device=device),)  # want: PF302
print(round(net(*given).sum().item(), 4))
named = {"input": torch.ones(3, 4, device=device)}  # want: PF302
print(round(net(**named).sum().item(), 4))
