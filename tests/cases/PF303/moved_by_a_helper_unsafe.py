# options: unsafe
# A helper moves what comes with a tensor, also item by item.
# given: from drive import device
import torch
from torch import nn


def batch_to_device(batch, device):
    return batch.to(device)


def fit(model, data, device):
    features, labels = data
    labels.to(device)  # want: PF303 unsafe, warning
    features = list(map(lambda batch: batch_to_device(batch, device), features))
    return model(features, labels)


# run: net = nn.Linear(3, 2).to(device)
# run: print(fit(lambda xs, y: (net(xs[0]) - y).sum().item(), ([torch.zeros(4, 3)], torch.zeros(4, 2)), device) is not None)
