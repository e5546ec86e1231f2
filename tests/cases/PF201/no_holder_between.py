import torch

from helpers import Average, Trainer


def build(net, device):
    trainer = Trainer(net)
    average = Average(net)
    optimizer = torch.optim.Adagrad(net.parameters(), lr=0.1)  # want: PF201 report
    trainer.prepare()
    net.to(device)
    return optimizer, average


def through_an_attribute(net, device):
    trainer = Trainer(net)
    optimizer = torch.optim.Adagrad(net.parameters(), lr=0.1)  # want: PF201 report
    trainer.network.freeze()
    net.to(device)
    return optimizer
