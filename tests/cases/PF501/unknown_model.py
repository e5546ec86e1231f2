# rules: all
# options: add-placement
"""The model comes from elsewhere: nothing shows that it is a module."""
import torch

from models import build

net = build("small")
opt = torch.optim.SGD(net.parameters(), lr=0.1)  # want: PF501 report
loss = net(torch.randn(2, 4)).sum()
loss.backward()
opt.step()
