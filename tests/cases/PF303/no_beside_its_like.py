# options: unsafe
"""Modules that are moved beside tensors, and what comes from elsewhere."""
import torch
from torch import nn

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")


def predict(model, x):
    model.to(device)
    x = x.to(device)
    return model(x)


def unpacked(pair):
    model, x = pair
    model.to(device)
    x = x.to(device)
    return model(x)


def trained(parts):
    net, x = parts
    net.to(device)
    x = x.to(device)
    return [p.sum() for p in net.parameters()], x


def another_statement(loader, pairs):
    batch = loader.next()
    x, y = pairs
    batch.to(device)
    y = y.to(device)
    return batch, x, y


def another_device(pairs):
    x, y = pairs
    x.to("meta")
    y = y.to(device)
    return x, y


class Wrapper(nn.Module):
    def forward(self, inner, x):
        inner.to(device)
        x = x.to(device)
        return inner(x)


def of_no_module(state, x):
    state.to(device)
    x = x.to(device)
    return state, x
