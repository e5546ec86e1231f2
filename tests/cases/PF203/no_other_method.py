import torch
import torch.nn as nn


class Run:
    def __init__(self, path):
        self.net = nn.Linear(6, 2)
        self.load(path)
        self.net.to("cuda" if torch.cuda.is_available() else "cpu")

    def load(self, path):
        self.opt = torch.optim.Adam(self.net.parameters())  # want: PF203 report
        self.opt.load_state_dict(torch.load(path))
