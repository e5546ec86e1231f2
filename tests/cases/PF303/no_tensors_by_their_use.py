# options: unsafe
"""Objects that move in place, modules, and values that other code binds before the use."""
import torch


def keywords(model, loader, device):
    for features, labels in loader:
        features.to(device)
        labels = labels.to(device)
        print(model(**features), labels)


def items(model, batch, device):
    batch.to(device)
    return model(batch["x"]), batch.size


def graph(model, batch, device):
    batch.to(device)
    return model(batch.x, batch.edge_index), batch.size(0)


def bound_again(loader, x, device):
    x.to(device)
    x = next(loader)
    return x.squeeze(), x[:, 0]


def before(x, device):
    y = x.squeeze()
    x.to(device)
    return y


class Holder:
    def __init__(self, net, mean):
        self.net, self.mean = net, mean

    def place(self, device):
        self.net.to(device)
        self.mean = self.mean.to(device)

    def run(self, x):
        return self.net(x) - self.mean, self.net.weight.shape


class Trained:
    def place(self, device):
        self.part.to(device)
        self.mean = self.mean.to(device)
        return torch.optim.SGD(self.part.parameters(), lr=0.1)
