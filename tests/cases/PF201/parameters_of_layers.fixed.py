import torch
import torch.nn as nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = nn.Linear(4, 8)
        self.head = nn.Linear(8, 2)

    def forward(self, x):
        return self.head(torch.relu(self.body(x)))

    def groups(self):
        weights, biases = [], []
        for layer in self.modules():
            if isinstance(layer, nn.Linear):
                own = list(layer.parameters())
                weights.append(own[0])
                biases.append(own[1])
        return [{"params": weights}, {"params": biases, "weight_decay": 0.0}]


def by_groups(device):
    net = Net()
    net.to(device)
    optimizer = torch.optim.Adagrad(net.groups(), lr=0.1)  # want: PF201
    return net, optimizer


def by_layers(device):
    net = Net()
    net.to(device)
    optimizer = torch.optim.Adagrad([w for layer in [net.body, net.head] for w in layer.parameters()], lr=0.1)  # want: PF201
    return net, optimizer
# run: import drive
# run: drive.step(by_groups(drive.device)[1])
# run: drive.step(by_layers(drive.device)[1])
