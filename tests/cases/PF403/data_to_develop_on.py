# options: unsafe
"""What is called `dev` and is no device: an answer, a list, data that is held out."""
# run: from types import SimpleNamespace
# run: print(train(nn.Linear(3, 1), SimpleNamespace(cuda=False), [1]), held_out(nn.Linear(3, 1), SimpleNamespace(cuda=False)))
import torch
from torch import nn


def train(model, args, dev_data=None):
    evaluate_dev = dev_data is not None
    model = nn.Sequential(model)
    if args.cuda:  # want: PF403 unsafe
        model.cuda()
    return evaluate_dev


def held_out(model, args):
    x_dev = torch.ones(4, 3).split(2)
    model = nn.Sequential(model)
    if args.cuda:  # want: PF403 unsafe
        model.cuda()
    return len(x_dev)
