# rules: all
# options: add-placement
"""The whole of a data set's images as one input: it lies on the CPU, and is not known to be a tensor."""
import torch
from torch import nn

from data import Images

images = Images("train")
view = images.data[:5].view(-1, 4) / 255.0
net = nn.Linear(4, 1)  # want: PF501 report
opt = torch.optim.SGD(net.parameters(), lr=0.1)
for step in range(3):
    loss = net(torch.randn(8, 4)).sum()
    opt.zero_grad()
    loss.backward()
    opt.step()
print(net(view))
