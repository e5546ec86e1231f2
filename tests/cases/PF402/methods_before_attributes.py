# No device of an object whose constructor calls a method that needs it first, or whose class has a base that is not known.
import torch
from elsewhere import Base


class Early:
    def __init__(self, size):
        self.first = self.more(size)
        self.size = size

    def more(self, size):
        return torch.zeros(size, device="cuda")  # want: PF402 unsafe

    def most(self):
        return torch.zeros(self.size, device="cuda")  # want: PF402 unsafe


class Derived(Base):
    def __init__(self, length):
        Base.__init__(self)
        self.length = length

    def fill(self, length):
        return torch.zeros(length, device="cuda")  # want: PF402 unsafe

    def fuller(self):
        return torch.zeros(self.length, device="cuda")  # want: PF402 unsafe
