"""What may set the item again between the device and the guard."""
import torch
from torch import nn

KEYS = ("seed",)


def train(args, saved):
    device = torch.device("cuda" if args["cuda"] else "cpu")
    model = nn.Linear(2, 1).to(device)
    args.update(saved)
    if args["cuda"]:  # want: PF403 report
        model.cuda()
    return model


def resume(args, saved):
    device = torch.device("cuda" if args["cuda"] else "cpu")
    model = nn.Linear(2, 1).to(device)
    for key in saved:
        args[key] = saved[key]
    if args["cuda"]:  # want: PF403 report
        model.cuda()
    return model


def pick(args, key):
    model = nn.Linear(2, 1)
    if args[key]:
        model.cuda()
    if args[0]:
        model.cuda()
    if KEYS["cuda_version"]:  # want: PF403 note
        model.cuda()
    return model
