"""What `bool` is given is asked, too: the flag changes between the device and the guard."""
import argparse

import torch

parser = argparse.ArgumentParser()
parser.add_argument("--cuda", action="store_true")
args = parser.parse_args()
store = torch.device("cuda") if bool(args.cuda) else torch.device("cpu")
print(torch.ones(2).to(store))
args.cuda = not args.cuda
y = torch.ones(2)
if args.cuda:  # want: PF403 report
    y = y.cuda()
print(y)
