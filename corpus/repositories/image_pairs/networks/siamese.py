import torch.nn as nn
import torch.nn.functional as F


class Siamese(nn.Module):
    def __init__(self):
        super(Siamese, self).__init__()
        self.branch = nn.Sequential(nn.Conv2d(1, 4, 3), nn.ReLU(), nn.Flatten(), nn.Linear(64, 5))

    def forward(self, left, right):
        return F.pairwise_distance(self.branch(left), self.branch(right))


def build(opt):
    model = Siamese()
    if opt.cuda:
        model = model.cuda()
    return model
