import torch


class AverageMeter(object):
    def __init__(self):
        self.sum = 0
        self.count = 0

    @property
    def avg(self):
        return self.sum / max(self.count, 1)

    def update(self, value, n=1):
        self.sum += value * n
        self.count += n


def accuracy(scores, targets):
    _, predicted = scores.max(-1)
    right = torch.zeros(targets.size()).cuda()
    right[predicted == targets] = 1
    return right.mean().item()
