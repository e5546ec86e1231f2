"""--gpu chooses among the GPUs, and by default nothing is chosen: everything goes to the current one."""
import argparse

import torch
import torch.nn as nn
from torch.autograd import Variable
from torch.utils.data import DataLoader

parser = argparse.ArgumentParser()
parser.add_argument('--gpu', type=int, default=-1)
parser.add_argument('--max_iter', type=int, default=4)
args = parser.parse_args()

torch.manual_seed(41)
if args.gpu >= 0:
    torch.cuda.set_device(args.gpu)

network = nn.Sequential(nn.Conv2d(3, 4, 3), nn.ReLU(), nn.Conv2d(4, 3, 3))
network.train()
network.cuda()
content_iter = iter(DataLoader(torch.rand(16, 3, 8, 8), batch_size=4))
style_iter = iter(DataLoader(torch.rand(16, 3, 4, 4), batch_size=4))
optimizer = torch.optim.Adam(network.parameters(), lr=0.01)
for i in range(args.max_iter):
    content_images = Variable(next(content_iter).cuda())
    style_images = Variable(next(style_iter).cuda())
    loss = (network(content_images) - style_images).pow(2).mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    print('%d: %.5f' % (i, loss.data.cpu().item()))
