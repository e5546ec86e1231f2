"""More than one GPU, or a certain number of them, is another question than whether to use CUDA."""
import argparse

import torch
from torch import nn

parser = argparse.ArgumentParser()
parser.add_argument("--ngpu", type=int, default=1)
parser.add_argument("--gpus", type=int, nargs="*", default=[])
args = parser.parse_args()

model = nn.Linear(2, 1)
x = torch.ones(1, 2)
if args.ngpu > 1:  # want: PF403 note
    model.cuda()
if args.ngpu == 2:  # want: PF403 note
    x = x.cuda()
if len(args.gpus) == 4:  # want: PF403 note
    x = x.cuda()
if len(args.gpus) > 1:  # want: PF403 note
    model = nn.DataParallel(model).cuda()
print(model(x).shape)


def one_or_more(args):
    net = nn.Linear(2, 1)
    if args.ngpu > 1:  # want: PF403 note
        net = nn.DataParallel(net).cuda()
    if args.ngpu == 1:  # want: PF403 report
        net = net.cuda()
    return net
