import torch
import torch.nn as nn

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
net = nn.Linear(4, 2)
for _ in range(2):
    optimizer = torch.optim.SGD(net.parameters(), lr=0.1)  # want: PF201
    net.to(device)
    net(torch.randn(3, 4, device=device)).sum().backward()
    optimizer.step()
