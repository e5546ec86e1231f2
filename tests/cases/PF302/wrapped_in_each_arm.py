# options: unsafe
# Each run on a GPU wraps the model, and DataParallel moves its inputs.
import torch
from torch import nn


class Trainer:
    def __init__(self, model, device, count):
        self.device = device
        if count > 1:
            model = nn.parallel.DistributedDataParallel(model.to(device))
        else:
            model = nn.DataParallel(model).to(device)
        self.model = model

    def fit(self, loader):
        for x, mask, y in loader:
            x = x.to(self.device)
            mask = mask
            loss = (self.model(x, mask) - y.to(self.device)).sum()
            loss.backward()


def infer(model, batch, device):
    if torch.cuda.is_available():
        model = nn.DataParallel(model).cuda()
    for x, mask in batch:
        x = x.to(device)
        print(model(x * mask.to(device)), model(mask))
