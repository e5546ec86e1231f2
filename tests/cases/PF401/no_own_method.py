"""Classes with a .cuda() of their own."""
import torch


class Batch:
    def __init__(self, x):
        self.x = x

    def cuda(self):
        self.x = self.x.cuda()  # want: PF401 note

    def to(self, device):
        self.x = self.x.to(device)


def first(batches):
    for batch in batches:
        batch.cuda()  # want: PF401 report
        return batch


b = Batch(torch.ones(2))
b.cuda()  # want: PF401 report
print(first([b]).x)
