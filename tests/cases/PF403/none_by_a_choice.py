import torch
import torch.nn as nn


class Distiller:
    def __init__(self, args):
        self.args = args
        self.teacher = nn.Linear(2, 2) if args.teacher else None
        self.net = nn.Linear(2, 2)

    def place(self):
        if self.args.cuda:  # want: PF403 unsafe
            self.net.cuda()
            self.teacher.cuda()


def place(args):
    head = nn.Linear(2, 2) if args.head else None
    if args.cuda:  # want: PF403 unsafe
        head.cuda()


# run: import types
# run: Distiller(types.SimpleNamespace(teacher=True, cuda=torch.cuda.is_available())).place()
# run: place(types.SimpleNamespace(head=True, cuda=torch.cuda.is_available()))
