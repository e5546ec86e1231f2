# options: unsafe
import torch
from torch import nn

USE_GPU = False
device = torch.device("cuda" if USE_GPU else "cpu")


def train(net, x, use_gpu):
    device = torch.device("cuda" if use_gpu else "cpu")
    # want: PF403 unsafe
    net.to(device)
    for part in x.split(2):
        # want: PF403 unsafe
        part = part.to(device)
        net(part).sum().backward()


net = nn.Linear(4, 1)
# want: PF403
net = net.to(device)
train(net, torch.randn(4, 4), USE_GPU)
# run: train(nn.Linear(4, 1), torch.randn(4, 4), torch.cuda.is_available())
