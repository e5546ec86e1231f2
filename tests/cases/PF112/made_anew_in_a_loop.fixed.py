import torch
import torch.nn as nn

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
data = torch.randn(2, 4).to(device)
net = None
for _ in range(3):
    net = nn.Linear(4, 2).to(device)  # want: PF112
    print(net(data).shape)
