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
device = torch.device("cuda" if args.cuda else "cpu")
logging.info(args)
model = nn.Linear(2, 2)
# want: PF403
model.to(device)


def train(batches):
    for x in batches:
        # want: PF403
        x = x.to(device)
        model(x)


train([torch.ones(1, 2)])
