# options: unsafe
"""Values that a function makes in the same words but for the numbers and the keys in them: one of them stays on the CPU."""
import torch
from torch import nn

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")


def steps(loader_0, loader_1, size, move):
    gaps = []
    for begin in range(0, 4, size):
        part_0 = loader_0[begin : begin + size]
        part_1 = loader_1[begin : begin + size]
        if move:
            part_1 = part_1.cuda(non_blocking=True)  # want: PF302 unsafe, warning
        gaps.append(torch.cat((part_0, part_1)))
    return gaps


def powers(grads, rate1, rate2):
    power1 = torch.tensor([rate1**2, rate1])
    power2 = torch.tensor([rate2**2, rate2])
    for grad in grads:
        power2 = power2.to(grad.device)  # want: PF302 unsafe, warning
        yield grad * power1 + power2


class Pairs:
    def __init__(self, model):
        self.model = model

    def margin(self, batch, start, stop):
        positives = batch["positives"]
        negatives = batch["negatives"]
        positives = positives[start:stop].to(self.model.device)  # want: PF302 unsafe, warning
        negatives = negatives[start:stop]
        better = self.model.score(positives, scale=2)
        worse = self.model.score(negatives, scale=2)
        return (better - worse).sum()


class Scorer(nn.Linear):
    @property
    def device(self):
        return self.weight.device

    def score(self, rows, scale):
        return self(rows) * scale


# run: torch.manual_seed(0)
# run: print([gap.sum().item() for gap in steps(torch.ones(4), torch.ones(4), 2, torch.cuda.is_available())])
# run: print(["%.3f" % one.sum().item() for one in powers([torch.ones(2, device=device)], 0.5, 0.9)])
# run: both = {"positives": torch.ones(3, 3), "negatives": torch.zeros(3, 3)}
# run: print("%.3f" % Pairs(Scorer(3, 2).to(device)).margin(both, 0, 2).item())
