"""A tensor that a block makes and pins in one statement: it is pinned by a statement of its own, below a test."""
import torch


class Rows:
    def __init__(self, count):
        self.buffer = torch.zeros(count)  # want: PF406
        if torch.cuda.is_available():
            self.buffer = self.buffer.pin_memory()

    def sums(self, repeat):
        found = []
        for _ in range(repeat):
            with torch.no_grad():
                own = self.buffer + torch.ones(3)  # want: PF406
                if torch.cuda.is_available():
                    own = own.pin_memory()
                found.append(own.sum().item())
        return found


print(Rows(3).sums(2))
