# What another method sets is not known if two methods set it, if a third one places it, or if the model is passed in.
import torch
from torch import nn


class Twice:
    def prepare(self):
        self.device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
        self.model = nn.Linear(3, 2).to(self.device)

    def prepare_offline(self):
        self.model = nn.Linear(3, 2)

    def check(self):
        x = torch.ones(4, 3)
        return self.model(x)


class Apart:
    def prepare(self):
        self.net = nn.Linear(3, 2)

    def place(self):
        self.device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
        self.net.to(self.device)

    def check(self):
        x = torch.ones(4, 3).to(self.device)
        return self.net(x)


class Sometimes:
    def prepare(self, offline):
        self.device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
        self.head = nn.Linear(3, 2)
        if not offline:
            self.head.to(self.device)

    def check(self):
        x = torch.ones(4, 3)
        return self.head(x)


class Passed:
    def __init__(self, core):
        self.core = core

    def prepare(self):
        self.device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
        self.core.to(self.device)

    def check(self):
        x = torch.ones(4, 3)
        return self.core(x)
