# not run: who calls it says which GPUs
import torch
import torch.nn as nn


class Trainer:
    def __init__(self, gpu_ids, shapes, use_gpu=True):
        self.net = nn.Linear(4, 2)
        self.head = nn.Linear(2, 1)
        self.parameters = list(self.net.parameters())
        self.parameters += list(self.head.parameters())
        if use_gpu:
            self.net.to(gpu_ids[0])
            self.head.to(device=gpu_ids[0])
        self.optimizer = torch.optim.Adam(self.parameters, lr=0.1)  # want: PF201
        self.net.to(shapes[0])
