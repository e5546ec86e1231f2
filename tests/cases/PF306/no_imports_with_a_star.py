# options: unsafe
# A star import may bind nn: what nn.Linear is, nobody knows.
from layers import *


class Net(nn.Module):
    def __init__(self, n):
        super().__init__()
        self.layers = [nn.Linear(3, 3) for _ in range(n)]

    def forward(self, x):
        for layer in self.layers:
            x = layer(x)
        return x
