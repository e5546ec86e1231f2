#!/usr/bin/env python
# coding: utf-8
"""Metric learning with a siamese network; placement behind a command line flag."""
import argparse
import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.utils.data import DataLoader, TensorDataset

parser = argparse.ArgumentParser()
parser.add_argument('--gpu', action='store_true', help='train on the GPUs of this machine')
parser.add_argument('--margin', type=float, default=1.0)
parser.add_argument('--steps', type=int, default=3)
opt = parser.parse_args()

torch.manual_seed(77)
use_gpu = opt.gpu and torch.cuda.is_available()


class Siamese(nn.Module):
    def __init__(self):
        super(Siamese, self).__init__()
        self.embed = nn.Sequential(nn.Linear(9, 12), nn.ReLU(), nn.Linear(12, 4))

    def forward(self, left, right):
        return F.pairwise_distance(self.embed(left), self.embed(right))


pairs = TensorDataset(torch.randn(30, 9), torch.randn(30, 9), torch.randint(0, 2, (30,)).float())
loader = DataLoader(pairs, batch_size=10)

net = Siamese()
net = nn.DataParallel(net)
if use_gpu:
    net = net.cuda()

optimizer = torch.optim.Adam(net.parameters(), lr=1e-3)

for step in range(opt.steps):
    for left, right, same in loader:
        if use_gpu:
            left = left.cuda()
            right = right.cuda()
            same = same.cuda()
        dist = net(left, right)
        loss = (same * dist.pow(2) + (1 - same) * F.relu(opt.margin - dist).pow(2)).mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    print('step %d: %.6f' % (step, loss.item()))
