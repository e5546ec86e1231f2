import torch
import torch.nn as nn

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
net = nn.Linear(4, 2).to(device)
x = torch.randn(2, 4).to(device)
for _ in range(3):
    net(x)
    x = torch.randn(2, 4)  # want: PF302
