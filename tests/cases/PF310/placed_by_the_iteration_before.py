import torch
import torch.nn as nn

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
net = nn.Linear(4, 4).to(device)
state = torch.zeros(2, 4)
with torch.no_grad():
    for _ in range(3):
        print(state.numpy().sum())  # want: PF310
        state = net(state.to(device))
