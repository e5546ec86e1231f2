import torch
import torch.nn as nn
from apex import amp


def main(args):
    model = nn.Linear(6, 2)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    model, optimizer = amp.initialize(model, optimizer, opt_level=args.opt_level)
    model.cuda()
    return model, optimizer
