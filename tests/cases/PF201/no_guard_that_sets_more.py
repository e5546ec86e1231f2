import torch
import torch.nn as nn


def main(args):
    model = nn.Linear(6, 2)
    lr = 0.1
    optimizer = torch.optim.SGD(model.parameters(), lr=lr)  # want: PF201 report
    if args.cuda:
        model = model.cuda()
        lr = 0.2
    return model, optimizer, lr
