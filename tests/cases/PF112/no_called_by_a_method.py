# A module on the CPU with a method that moves its input, one with a part on the device, and one that gets tensors of the CPU.
import torch
from torch import nn

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")


class Moving(nn.Module):
    def __init__(self):
        super().__init__()
        self.head = nn.Linear(3, 2)

    def act(self, state):
        return self.head(state.cpu()).argmax()


class Halves(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = nn.Linear(3, 4)
        self.head = nn.Linear(4, 2).to(device)

    def act(self, state):
        return self.head(self.body(state).to(device)).argmax()


class Plain(nn.Module):
    def __init__(self):
        super().__init__()
        self.head = nn.Linear(3, 2)

    def act(self, state):
        return self.head(state).argmax()


torch.manual_seed(0)
state = torch.ones(3)
moved = state.to(device)
learner = Plain().to(device)
print(Moving().act(moved), Halves().act(state), Plain().act(state), learner.act(moved))
