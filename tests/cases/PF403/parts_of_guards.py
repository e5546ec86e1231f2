"""A guard that also seeds, sets cudnn or wraps keeps that; its placements stand beside it."""
import argparse

import torch
from torch import nn

parser = argparse.ArgumentParser()
parser.add_argument("--no-cuda", action="store_true")
parser.add_argument("--seed", type=int, default=1)
args = parser.parse_args()
args.cuda = not args.no_cuda and torch.cuda.is_available()

torch.manual_seed(args.seed)
model = nn.Linear(4, 1)
criterion = nn.MSELoss()
if args.cuda:  # want: PF403
    torch.cuda.manual_seed(args.seed)
    torch.backends.cudnn.benchmark = True
    model.cuda()
    criterion = criterion.cuda()

x, y = torch.ones(8, 4), torch.zeros(8, 1)
if args.cuda:  # want: PF403
    x, y = x.cuda(), y.cuda()
    model = nn.DataParallel(model)

target = torch.zeros(8, 1)
if args.cuda:  # want: PF403
    target = target.cuda()
    torch.cuda.empty_cache()
    y = y.cuda(non_blocking=True)
aside = torch.zeros(8, 1)
if args.cuda:  # want: PF403
    torch.cuda.manual_seed(args.seed)
    aside = aside.cuda()  # where the target is
print(criterion(model(x), y + target + aside).item())
