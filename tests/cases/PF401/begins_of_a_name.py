"""A word to which a number is added is no device by itself."""
import torch
import torch.nn as nn

device = "cuda:"
rank = 0
net = nn.Linear(3, 3).cuda()  # want: PF401 report
x = torch.zeros(2, 3).to(device + str(rank))
print(net(x))
