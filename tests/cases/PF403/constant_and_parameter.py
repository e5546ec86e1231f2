# options: unsafe
import torch
from torch import nn

USE_GPU = False


def train(net, x, use_gpu):
    if use_gpu:  # want: PF403 unsafe
        net.cuda()
    for part in x.split(2):
        if use_gpu:  # want: PF403 unsafe
            part = part.cuda()
        net(part).sum().backward()


net = nn.Linear(4, 1)
if USE_GPU:  # want: PF403
    net = net.cuda()
train(net, torch.randn(4, 4), USE_GPU)
# run: train(nn.Linear(4, 1), torch.randn(4, 4), torch.cuda.is_available())
