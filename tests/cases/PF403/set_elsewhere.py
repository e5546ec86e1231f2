import torch
import torch.nn as nn


class Trainer:
    def __init__(self):
        self.net = nn.Linear(4, 2)
        self.use_cuda = torch.cuda.is_available()

    def change(self, net):
        self.net = net

    def place(self):
        if self.use_cuda:  # want: PF403 unsafe
            self.net = self.net.cuda()


class Named:
    def __init__(self):
        self.scorer = nn.Linear(4, 2)
        self.use_cuda = torch.cuda.is_available()

    def change(self, net):
        setattr(self, "scorer", net)

    def place(self):
        if self.use_cuda:  # want: PF403 unsafe
            self.scorer = self.scorer.cuda()


class Loose:
    def __init__(self):
        self.ranker = nn.Linear(4, 2)
        self.use_cuda = torch.cuda.is_available()

    def change(self, **options):
        for name, value in options.items():
            setattr(self, name, value)

    def place(self):
        if self.use_cuda:  # want: PF403 unsafe
            self.ranker = self.ranker.cuda()


class Base:
    def __init__(self):
        self.part = nn.Linear(4, 2)
        self.use_cuda = torch.cuda.is_available()

    def place(self):
        if self.use_cuda:  # want: PF403 unsafe
            self.part = self.part.cuda()


class Derived(Base):
    def __init__(self, part):
        super().__init__()
        self.part = part


class Outside:
    def __init__(self):
        self.head = nn.Linear(4, 2)
        self.use_cuda = torch.cuda.is_available()

    def place(self):
        if self.use_cuda:  # want: PF403 unsafe
            self.head = self.head.cuda()


def change(outside, head):
    outside.head = head
