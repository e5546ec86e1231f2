# options: unsafe
"""A class that says CUDA in its constructor and elsewhere keeps one device; what has no constructor behind it makes its own."""
# run: print(Grid(3).clusters(torch.ones(3)).shape, Loose().fill(2).shape, Half(2).fill(2).shape, Loose().empty())
import torch


class Grid:
    def __init__(self, size):
        places = torch.linspace(0, 1, size)
        self.device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
        self.places = places.to(self.device)  # want: PF401
        self.size = size

    def clusters(self, seeds):
        found = torch.zeros(self.size, device=self.device)  # want: PF401
        for _ in range(2):
            found = found + torch.ones(self.size, device=self.device)  # want: PF401
        return found + self.places


class Loose:
    def fill(self, count):
        device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
        return torch.ones(count, device=device)  # want: PF401 unsafe

    def empty(self):
        device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
        return torch.zeros(1, device=device)  # want: PF401 unsafe


class Half:
    def __init__(self, size):
        self.size = size
        self.start()

    def start(self):
        device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
        self.first = torch.ones(self.size, device=device)  # want: PF401 unsafe

    def fill(self, count):
        device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
        return torch.ones(count, device=device)  # want: PF401 unsafe
