# Each arm makes its module for the device that its input is on.
import torch
from elsewhere import wrap
from torch import nn


def under_a_flag(use_cuda):
    if use_cuda:
        model = nn.Linear(3, 4).cuda()
    else:
        model = nn.Linear(3, 4)
    x = torch.zeros(2, 3)
    if use_cuda:
        x = x.cuda()
    return model(x)


def placed_behind(device, big):
    if big:
        model = nn.Linear(3, 5).to(device)
    else:
        model = nn.Linear(3, 4)
    model = model.to(device)
    return model(torch.zeros(2, 3, device=device))


def with_its_input(device, big):
    x = torch.zeros(2, 3)
    if big:
        model, x = nn.Linear(3, 5).to(device), x.to(device)
    else:
        model = nn.Linear(3, 4)
    return model(x)


def on_the_cpu(device, big):
    if big:
        model = nn.Linear(3, 5).to(device)
    else:
        model = nn.Linear(3, 4)
        return model(torch.zeros(2, 3))
    return model(torch.zeros(2, 3, device=device))


def placed():
    return nn.Linear(3, 4).cuda()


def wrapped():
    model = nn.Linear(3, 4)
    wrap(model)
    return model


def by_any_function(number, x):
    model = (placed, wrapped)[number]()
    x = x.cuda()
    return model(x)
