import torch
import torch.nn as nn

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
net = nn.Linear(4, 2)
for epoch in range(3):
    if epoch == 0:
        net(torch.randn(2, 4))
        continue
    net.to(device)
    if epoch == 1:
        net.cpu()
        continue
    net.cpu()
