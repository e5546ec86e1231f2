"""CUDA and something else, beside something that asks in another way: one device cannot answer both."""
import torch
from torch import nn


class Trainer:
    def __init__(self, use_cuda):
        self.use_cuda = use_cuda

    def add(self, critic, x):
        if self.use_cuda and critic is not None:  # want: PF403 note
            critic.cuda()
        if torch.cuda.is_available():  # want: PF403 note
            print(x.cuda().shape)
        return critic
