"""What is called like held-out data and placed on is a device, whatever it is called."""
# run: print(train(__import__("types").SimpleNamespace(cuda=False), torch.device("cpu")))
import torch
from torch import nn


def train(args, given):
    train_dev = given
    model = nn.Linear(3, 1)
    if args.cuda:  # want: PF403 report
        model.cuda()
    return torch.ones(3).to(train_dev).sum()
