# options: unsafe
"""Nothing is made here; what is not moved goes where no method moves it, or never meets what is."""
import torch
from torch import nn


class Trainer:
    def __init__(self, model, device):
        self.device = device
        self.model = model.to(device)

    def update(self, inputs):
        units, features, labels = inputs
        units = units.to(self.device)
        labels = labels.to(self.device)
        return nn.functional.cross_entropy(self.model(units, features), labels)

    def predict(self, inputs):
        units, features, _ = inputs
        units = units.to(self.device)
        return self.model(units, features)

    def words(self, inputs):
        units, names = inputs
        units = units.to(self.device)
        return [name for name, pred in zip(names, self.model(units, None)) if pred.argmax() > 0]

    def batches(self, loader):
        for units, index in loader:
            units = units.to(self.device)
            yield index + 1, self.model(units, None)


def sized(model, device):
    device = torch.device(device)
    model = model.to(device)
    return model
