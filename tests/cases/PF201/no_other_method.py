import torch
import torch.nn as nn


class Trainer:
    def __init__(self):
        self.net = nn.Linear(6, 2)
        self.build()
        self.net.to("cuda" if torch.cuda.is_available() else "cpu")

    def build(self):
        self.opt = torch.optim.SGD(self.net.parameters(), lr=0.1)  # want: PF201 report

    def step(self):
        self.opt.step()
