# options: unsafe
"""No device of the object's own: modules and what is pickled may be there without one, a base that is not known may have one, and
what is no instance has none."""
# run: print(str(Told(3)) > '', Told(3).fill(2).shape, Guarded(3).fill(2).shape)
# run: print(Net(3).fill(2).shape, Saved(3).fill(2).shape, Sub().fill(3).shape, Base.empty(2))
import torch
from torch import nn


class Net(nn.Module):
    def __init__(self, size):
        super().__init__()
        device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
        self.size = torch.ones(size, device=device)  # want: PF401 unsafe

    def fill(self, count):
        device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
        return torch.ones(count, device=device) * self.size.sum()  # want: PF401 unsafe


class Saved:
    def __init__(self, size):
        device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
        self.size = torch.ones(size, device=device)  # want: PF401 unsafe

    def __getstate__(self):
        return {"size": self.size.cpu()}

    def fill(self, count):
        device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
        return torch.ones(count, device=device) * self.size.sum()  # want: PF401 unsafe


class Told:
    def __init__(self, size):
        device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
        self.size = torch.ones(size, device=device)  # want: PF401 unsafe

    def __repr__(self):
        return str(self.__dict__)

    def fill(self, count):
        device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
        return torch.ones(count, device=device) * self.size.sum()  # want: PF401 unsafe


class Guarded:
    def __init__(self, size):
        device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
        self.size = torch.ones(size, device=device)  # want: PF401 unsafe

    def __setattr__(self, name, value):
        assert name == "size"
        super().__setattr__(name, value)

    def fill(self, count):
        device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
        return torch.ones(count, device=device) * self.size.sum()  # want: PF401 unsafe


class Base:
    def __init__(self):
        device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
        self.table = torch.ones(3, device=device)  # want: PF401 unsafe

    @staticmethod
    def empty(count):
        device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
        return torch.zeros(count, device=device)  # want: PF401 unsafe

    def fill(self, count):
        device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
        return torch.ones(count, device=device)  # want: PF401 unsafe


class Sub(Base):
    def __init__(self):
        self.size = 3
