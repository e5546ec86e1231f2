import torch
import torch.nn as nn


class ContrastiveLoss(nn.Module):
    def __init__(self, margin=1.0):
        super(ContrastiveLoss, self).__init__()
        self.margin = margin

    def forward(self, distance, label):
        zeros = torch.zeros(distance.size())
        if distance.is_cuda:
            zeros = zeros.cuda()
        return torch.mean(label * distance ** 2 + (1 - label) * torch.max(zeros, self.margin - distance) ** 2)
