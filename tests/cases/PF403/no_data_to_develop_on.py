"""What is called `dev` and is what things are placed on is a device, which one is not known."""
# run: print(train(nn.Linear(3, 1), __import__("types").SimpleNamespace(cuda=False)))
import torch
from torch import nn


def some():
    return torch.zeros(1).device if torch.get_num_threads() else "cpu"


def train(model, args):
    my_dev = some()
    model = nn.Sequential(model)
    if args.cuda:  # want: PF403 report
        model.cuda()
    return torch.ones(3, device=my_dev).sum()
