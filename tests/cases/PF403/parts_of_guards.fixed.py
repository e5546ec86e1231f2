"""A guard that also seeds, sets cudnn or wraps keeps that; its placements stand beside it."""
import argparse

import torch
from torch import nn

parser = argparse.ArgumentParser()
parser.add_argument("--no-cuda", action="store_true")
parser.add_argument("--seed", type=int, default=1)
args = parser.parse_args()
args.cuda = not args.no_cuda and torch.cuda.is_available()
device = torch.device("cuda" if args.cuda else "cpu")

torch.manual_seed(args.seed)
model = nn.Linear(4, 1)
criterion = nn.MSELoss()
if args.cuda:  # want: PF403
    torch.cuda.manual_seed(args.seed)
    torch.backends.cudnn.benchmark = True
model.to(device)
criterion = criterion.to(device)

x, y = torch.ones(8, 4), torch.zeros(8, 1)
x, y = x.to(device), y.to(device)
if args.cuda:  # want: PF403
    model = nn.DataParallel(model)

target = torch.zeros(8, 1)
target = target.to(device)
if args.cuda:  # want: PF403
    torch.cuda.empty_cache()
y = y.to(device, non_blocking=True)
aside = torch.zeros(8, 1)
if args.cuda:  # want: PF403
    torch.cuda.manual_seed(args.seed)
aside = aside.to(device)  # where the target is
print(criterion(model(x), y + target + aside).item())
