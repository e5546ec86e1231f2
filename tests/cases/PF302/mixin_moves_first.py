# The method of the class that comes first in Python's order of the bases moves the tensor.
import torch
import torch.nn as nn

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
net = nn.Linear(3, 2).to(device)


class Plain:
    def prepare(self, x):
        return x

    def __call__(self, x):
        return net(self.prepare(x))


class Moves:
    def prepare(self, x):
        return super().prepare(x).to(device)


class Left(Plain):
    pass


class Right(Plain):
    def prepare(self, x):
        return x.to(device)


class First(Moves, Plain):
    pass


class Diamond(Left, Right):
    pass


print(First()(torch.ones(1, 3)))
print(Diamond()(torch.ones(1, 3)))
