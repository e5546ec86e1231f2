import torch
import torch.nn as nn


class Solver:
    def __init__(self):
        self.model = nn.Linear(6, 2)
        self.model = nn.DataParallel(self.model)  # want: PF102 report
        self.pick_device()
        self.model.to(self.device)

    def pick_device(self):
        self.device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
