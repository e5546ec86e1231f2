import torch
import torch.nn as nn

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
net = nn.Linear(4, 2)
optimizer = None
for epoch in range(3):
    if epoch == 1:
        optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
    net.to(device)
    if optimizer is not None:
        optimizer.step()
