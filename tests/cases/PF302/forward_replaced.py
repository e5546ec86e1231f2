# A function that replaces `forward` may move its argument; after the old one is back, nothing does.
import torch
import torch.nn as nn

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
net = nn.Linear(3, 2).to(device)
original = net.forward


def moved(x):
    return original(x.to(device)) * 2


net.forward = moved
print(net(torch.ones(2, 3)).shape)
net.forward = lambda x: original(x.to(device))
print(net(torch.ones(2, 3)).shape)
net.forward = original
print(net(torch.ones(2, 3)).shape)  # want: PF302
