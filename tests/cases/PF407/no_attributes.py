import torch


class Trainer:
    def __init__(self, make):
        self.kind = torch.cuda.FloatTensor  # want: PF407 report
        self.maker = make

    def run(self, half):
        kind = torch.cuda.HalfTensor if half else torch.cuda.FloatTensor  # want: PF407 report
        return self.maker(kind), self.kind(3)
