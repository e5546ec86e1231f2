# The function that collates the samples uses CUDA in the workers, after this process has.
import torch
from torch import nn
from torch.utils.data import DataLoader

samples = [torch.ones(3) for _ in range(8)]


class Collator:
    def __init__(self):
        self.device = torch.device("cuda")

    def collate(self, samples):
        return torch.stack(samples).to(self.device)


def collate(samples):
    return torch.stack(samples).cuda()


def gather(samples):
    return torch.stack(samples)


def main():
    loader = DataLoader(samples, batch_size=4, num_workers=2, collate_fn=collate)  # want: PF312 report
    early = DataLoader(samples, batch_size=4, num_workers=2, collate_fn=collate)
    for x in early:
        print(x.shape)
    model = nn.Linear(3, 2).cuda()
    for x in loader:
        model(x)
    for x in DataLoader(samples, batch_size=4, num_workers=1, collate_fn=Collator().collate):  # want: PF312 report
        model(x)
    for x in DataLoader(samples, batch_size=4, num_workers=1, collate_fn=gather):
        model(x.cuda())
    for x in DataLoader(samples, batch_size=4, num_workers=0, collate_fn=collate):
        model(x)
