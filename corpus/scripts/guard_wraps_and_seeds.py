"""Guards that wrap, seed and set cudnn beside the placements; the targets have a guard of their own."""
import argparse

import torch
import torch.backends.cudnn as cudnn
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset

parser = argparse.ArgumentParser()
parser.add_argument("--ngpu", type=int, default=1 if torch.cuda.is_available() else 0)
parser.add_argument("--manualSeed", type=int, default=4)
opt = parser.parse_args()

use_cuda = torch.cuda.is_available() and opt.ngpu > 0
torch.manual_seed(opt.manualSeed)
if use_cuda:
    torch.cuda.manual_seed_all(opt.manualSeed)
    cudnn.benchmark = True

net = nn.Sequential(nn.Linear(6, 10), nn.Tanh(), nn.Linear(10, 3))
criterion = nn.CrossEntropyLoss()
if use_cuda:
    print("CUDA with %d GPU(s)" % opt.ngpu)
    net.cuda()
    net = torch.nn.DataParallel(net, device_ids=range(torch.cuda.device_count()))
    criterion.cuda()

optimizer = torch.optim.SGD(net.parameters(), lr=0.2, momentum=0.9)
loader = DataLoader(TensorDataset(torch.randn(32, 6), torch.randint(0, 3, (32,))), batch_size=8)
for epoch in range(2):
    for inputs, targets in loader:
        if use_cuda:
            inputs, targets = inputs.cuda(), targets.cuda()
        optimizer.zero_grad()
        loss = criterion(net(inputs), targets)
        loss.backward()
        optimizer.step()
    print("epoch %d loss %.5f" % (epoch, loss.item()))
