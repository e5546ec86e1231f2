import torch
import torch.nn as nn


def wrap(nn, model, device):
    model = nn.DataParallel(model)
    model.to(device)
    return model
