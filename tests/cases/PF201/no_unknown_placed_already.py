"""What the factory makes is not known, but it was placed before the optimizer was built."""
import torch
from models import make

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
net = make().to(device)
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
net = net.to(device)
net(torch.ones(1, 4, device=device)).sum().backward()
optimizer.step()
