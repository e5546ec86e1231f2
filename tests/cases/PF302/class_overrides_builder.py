# A derived class overrides the builder of the base and leaves the model on the CPU: the method of both gets no safe fix.
import torch
from torch import nn

DEVICE = torch.device("cuda" if torch.cuda.is_available() else "cpu")


class Base:
    def __init__(self):
        self.model = self.build()

    def build(self):
        return nn.Linear(3, 2).to(DEVICE)

    def check(self):
        x = torch.ones(4, 3)
        return self.model(x)  # want: PF302 unsafe


class OnCpu(Base):
    def build(self):
        return nn.Linear(3, 2)
