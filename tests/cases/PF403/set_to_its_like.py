# run: t = Trainer(argparse.Namespace()); t.restart(); t.freeze(); t.place()
import argparse

import torch
import torch.nn as nn


class Trainer:
    def __init__(self, args):
        self.net = nn.Linear(4, 2)
        self.use_cuda = torch.cuda.is_available()
        args.net = "linear"

    def freeze(self):
        self.net = self.net.eval()

    def restart(self):
        self.net = nn.Linear(4, 2)

    def place(self):
        if self.use_cuda:  # want: PF403
            self.net = self.net.cuda()
