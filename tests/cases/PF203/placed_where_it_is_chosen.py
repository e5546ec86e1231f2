# Each way of choosing the model places it; code that is not seen gets it, and a later placement follows its conversion.
import torch
from torch import nn

from checks import check_amp
from models import Model


def train(opt, device):
    if opt.pretrained:
        model = Model(ch=3).to(device)
        model.load_state_dict(torch.load("w.pt", map_location="cpu"), strict=False)
    else:
        model = Model().to(device)
    check_amp(model)
    for _, value in model.named_parameters():
        value.requires_grad = True
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    if opt.resume:
        optimizer.load_state_dict(torch.load("o.pt", map_location="cpu"))
    if opt.sync_bn:
        model = nn.SyncBatchNorm.convert_sync_batchnorm(model).to(device)
    model.train()
    return optimizer
