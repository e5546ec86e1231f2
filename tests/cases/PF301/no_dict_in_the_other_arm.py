# The arms of a test move what they give to a module, or the module of the other arm is another one.
import torch
from torch.nn import functional as F
from torch.utils.data import DataLoader
from nets import build, device


def both(data):
    loader = DataLoader(data, batch_size=2)
    model = build()
    model.train()
    for batch in loader:
        x, labels = batch
        labels = labels.to(device)
        if isinstance(x, dict):
            x = {key: torch.stack(value).T.to(device) for key, value in x.items()}
            logits = model(**x)[0]
        else:
            logits = model(x.to(device))
        F.cross_entropy(logits, labels).backward()


def another(data, host):
    loader = DataLoader(data, batch_size=2)
    model = build()
    model.train()
    host.eval()
    for batch in loader:
        x, labels = batch
        labels = labels.to(device)
        if isinstance(x, dict):
            x = {key: torch.stack(value).T.to(device) for key, value in x.items()}
            logits = model(**x)[0]
            F.cross_entropy(logits, labels).backward()
        else:
            print(host(x))
