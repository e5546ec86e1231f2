"""A flag that is compared with what says yes is the flag: in the other arm nothing lies on a device."""
import argparse

import torch
import torch.nn as nn

parser = argparse.ArgumentParser()
parser.add_argument("--cuda", action="store_true")
parser.add_argument("--no_gpu", action="store_true")
parser.add_argument("--n_gpu", type=int, default=0)
args = parser.parse_args()

net, other, third = nn.Linear(3, 2), nn.Linear(3, 2), nn.Linear(3, 2)
x, y, z = torch.randn(4, 3), torch.randn(4, 3), torch.randn(4, 3)
if args.cuda > 0:
    net.cuda()
    x = x.cuda()
if 1 == args.cuda:
    other.cuda()
    y = y.cuda()
if args.n_gpu >= 1:
    third.cuda()
    z = z.cuda()

out = net(x)
if args.cuda is True:
    out = out * torch.FloatTensor([1.0, 2.0]).cuda()
else:
    out = out * torch.FloatTensor([1.0, 2.0])
if args.cuda == 0:
    out = out + torch.ones(2)
out = out - (torch.ones(2).cuda() if args.cuda != 0 else torch.ones(2))
out = other(y)
if not args.cuda >= 1:
    out = out + torch.ones(2)
out = third(z)
if args.n_gpu <= 0:
    out = out + torch.ones(2)
print(out)
