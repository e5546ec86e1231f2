# options: unsafe
import torch
import torch.nn as nn


def make(single, gpus, device):
    model = nn.Linear(6, 2)
    if single:
        model = model.to(device)
    if not single:
        model = nn.DataParallel(model, gpus)
    return model


gpus = list(range(torch.cuda.device_count()))
device = torch.device("cuda" if gpus else "cpu")
model = make(len(gpus) < 2, gpus, device)
model.to(device)
print(model(torch.eye(6).to(device)).shape)
