"""A tensor that a block makes and pins in one statement: it is pinned by a statement of its own, below a test."""
import torch


class Rows:
    def __init__(self, count):
        self.buffer = torch.zeros(count).pin_memory()  # want: PF406

    def sums(self, repeat):
        found = []
        for _ in range(repeat):
            with torch.no_grad():
                own = (self.buffer + torch.ones(3)).pin_memory()  # want: PF406
                found.append(own.sum().item())
        return found


print(Rows(3).sums(2))
