# options: unsafe
# Copyright: somebody
from os import makedirs

from numpy import zeros
import torch

# what is ours
from . import losses
from .nets import Net


class Runner:
    def __init__(self, width):
        self.net = Net(width)
        self.loss = losses.L1()

    def start(self, path):
        makedirs(path, exist_ok=True)
        device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
        self.net.to(device)  # want: PF401 unsafe
        return zeros(3)
