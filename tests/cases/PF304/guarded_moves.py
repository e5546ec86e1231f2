import torch
from torch import nn


class Old(nn.Module):
    def __init__(self, use_cuda):
        super().__init__()
        self.fc = nn.Linear(4, 4)
        self.use_cuda = use_cuda

    def forward(self, x):
        noise = torch.randn(x.size(0), 4)
        if self.use_cuda:
            noise = noise.cuda()
        if self.use_cuda:
            mask = torch.ones(x.size(0), 4).cuda()
        else:
            mask = torch.ones(x.size(0), 4)
        return self.fc(x + noise) * mask
