import torch
import torch.nn as nn

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
net = nn.Linear(4, 2).to(device)
data = torch.randn(2, 4, device=device)
for epoch in range(3):
    net(data)
    if epoch == 2:
        net.cpu()
        break
net(torch.randn(2, 4))
