# options: unsafe
import torch
import torch.nn as nn


def make(gpus, device):
    model = nn.Linear(6, 2)
    if len(gpus) >= 1:
        model = model.to(device)
    if len(gpus) > 1:
        model = nn.DataParallel(model, gpus)
    return model


def changed(gpus, device):
    model = nn.Linear(6, 2)
    if len(gpus) == 1:
        model = model.to(device)
        gpus = gpus * 2
    if len(gpus) > 1:
        model = nn.DataParallel(model, gpus)
    return model


def placed_below(gpus, device):
    model = nn.Linear(6, 2)
    if len(gpus) == 1:
        model.train().to(device)
    else:
        model = nn.DataParallel(model, gpus).to(device)
    return model


def on_the_cpu(gpus, device):
    model = nn.Linear(6, 2)
    if len(gpus) < 2:
        model = model.to("cpu")
    else:
        model = nn.DataParallel(model, gpus)
    return model(torch.eye(6).to(device))


gpus = list(range(torch.cuda.device_count()))
device = torch.device("cuda" if gpus else "cpu")
x = torch.eye(6).to(device)
for function in (make, changed):
    print(function(gpus or [0], device)(x).shape if gpus else "no GPU")
