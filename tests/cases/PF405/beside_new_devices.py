# after: all
"""Fixes give the file devices: what it loads must not need CUDA then, and goes where it went on a machine that has it."""
import torch
import torch.nn as nn

use_cuda = torch.cuda.is_available()
there = "cuda" if torch.cuda.is_available() else "cpu"
torch.save({"size": 3, "model": nn.Linear(3, 1).to(there).state_dict()}, "net.pt")
torch.save({"model": nn.Linear(3, 1).to(there)}, "whole.pt")
torch.save(nn.Linear(3, 1).to(there).state_dict(), "state.pt")


class Settings:
    def __init__(self, size):
        self.size = size


def restored(path):
    checkpoint = torch.load(path)  # want: PF405
    settings = Settings(checkpoint["size"])
    net = nn.Linear(settings.size, 1)
    net.load_state_dict(checkpoint["model"])
    net = net.cuda()
    return net, settings


def whole(path):
    net = torch.load(path, weights_only=False)["model"]  # want: PF405
    net = net.cuda().eval()
    return net


class Trainer:
    def __init__(self, net):
        self.net = net
        if use_cuda:
            self.net.cuda()

    def restore(self, path):
        state = torch.load(path)  # want: PF405
        for key in state.keys():
            if key in self.net.state_dict().keys():
                self.net.state_dict()[key].copy_(state[key].detach().clone())

    def train(self, x):
        x = x.cuda()
        return self.net(x)


net, settings = restored("net.pt")
trainer = Trainer(net)
trainer.restore("state.pt")
print(trainer.train(torch.ones(2, settings.size)).shape, whole("whole.pt").training)
