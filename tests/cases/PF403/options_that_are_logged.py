# To log the options does not set them: one device serves the script.
# arguments: --cuda
# machines: 1,2
import argparse
import logging

import torch
from torch import nn

parser = argparse.ArgumentParser()
parser.add_argument("--cuda", action="store_true")
args, rest = parser.parse_known_args()
logging.info(args)
model = nn.Linear(2, 2)
if args.cuda:  # want: PF403
    model.cuda()


def train(batches):
    for x in batches:
        if args.cuda:  # want: PF403
            x = x.cuda()
        model(x)


train([torch.ones(1, 2)])
