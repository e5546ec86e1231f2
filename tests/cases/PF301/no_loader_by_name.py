# The loader moves its items, the code moves them, or nothing shows that the model is elsewhere.
# options: unsafe
import torch
import torch.nn.functional as F
from torch import nn


def on_the_cpu(model, loader):
    model.eval()
    return sum(F.mse_loss(model(x), y).item() for x, y in loader)


def prefetched(model, cuda_prefetcher, device):
    model.to(device)
    for x, y in cuda_prefetcher:
        print(F.mse_loss(model(x), y).item())


def moved_under_their_keys(model, loader, device):
    model.to(device)
    for batch in loader:
        for key in batch:
            batch[key] = batch[key].to(device)
        print(model(batch["x"]))


def moved_by_code_that_is_not_seen(model, loader, device, prepare):
    model.to(device)
    for batch in loader:
        batch = prepare(batch)
        print(model(batch["x"]))


def whole(model, loader, device):
    model.to(device)
    for batch in loader:
        print(model(batch))


def rebound(model, loader, device, wrap):
    model.to(device)
    loader = wrap(loader, device)
    for x, y in loader:
        print(F.mse_loss(model(x), y).item())


def collated(model, loader, device, collate):
    model.to(device)
    loader.collate_fn = collate
    for x, y in loader:
        print(F.mse_loss(model(x), y).item())


class Trainer:
    def __init__(self, model, device):
        self.device = device
        self.model = model.to(device)

    def fit(self, data):
        for x, y in data:
            x = x.to(self.device)
            y = y.to(self.device)
            F.mse_loss(self.model(x), y).backward()

    def validate(self, groups):
        for x, y in groups:
            F.mse_loss(self.model(x), y)

    def names(self, data):
        for name, y in data:
            self.model(name)
