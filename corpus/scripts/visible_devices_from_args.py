#!/usr/bin/env python3
"""The GPU is chosen through CUDA_VISIBLE_DEVICES before anything touches CUDA."""
import argparse
import os

import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset

parser = argparse.ArgumentParser(description="super resolution, 1-d")
parser.add_argument("--gpu", type=str, default="0")
parser.add_argument("--epochs", type=int, default=2)
args = parser.parse_args()

os.environ["CUDA_DEVICE_ORDER"] = "PCI_BUS_ID"
os.environ["CUDA_VISIBLE_DEVICES"] = args.gpu

torch.manual_seed(36)


class Upscale(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv = nn.Conv1d(1, 4, 3, padding=1)
        self.out = nn.ConvTranspose1d(4, 1, 2, stride=2)

    def forward(self, x):
        return self.out(torch.relu(self.conv(x)))


high = torch.randn(20, 1, 16)
low = nn.functional.avg_pool1d(high, 2)
loader = DataLoader(TensorDataset(low, high), batch_size=5)

model = Upscale().cuda()
criterion = nn.L1Loss().cuda()
optimizer = torch.optim.Adam(model.parameters(), lr=0.01)

for epoch in range(args.epochs):
    for lr_signal, hr_signal in loader:
        lr_signal = lr_signal.cuda()
        hr_signal = hr_signal.cuda()
        loss = criterion(model(lr_signal), hr_signal)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    print("epoch {}: {:.5f}".format(epoch, loss.item()))
