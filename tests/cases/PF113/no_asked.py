# The code finds out whether the model is wrapped, or catches the failure.
import torch
from torch import nn

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
several = torch.cuda.device_count() > 1


def asked(net):
    model = nn.DataParallel(net.to(device))
    if hasattr(model, "fc"):
        return model.fc
    try:
        return model.head
    except AttributeError:
        return model.module.head


def conditional(net):
    model = net.to(device)
    if several:
        model = nn.DataParallel(model)
    layer = model.module.fc if several else model.fc
    if not several:
        print(model.head)
    return layer, model.module.head if isinstance(model, nn.DataParallel) else model.head


def left(net):
    model = net.to(device)
    if several:
        model = nn.DataParallel(model)
        return model.module.fc
    return model.fc


def either(model):
    return model.fc


either(nn.Linear(2, 2).to(device))
