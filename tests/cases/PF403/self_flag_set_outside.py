"""The flag is not the object's own: what is set from outside counts when a method runs, not when the object was made."""
import torch
from torch import nn


class Agent:
    def __init__(self, flag):
        self.use_cuda = flag
        self.net = nn.Linear(3, 3)
        if self.use_cuda:  # want: PF403
            self.net.cuda()

    def act(self, state):
        state = torch.tensor(state)
        if self.use_cuda:  # want: PF403
            state = state.cuda()
        return self.net(state)


class Keeper:
    def __init__(self, flag):
        self.on_gpu = flag
        self.device = torch.device("cuda" if self.on_gpu else "cpu")
        self.net = nn.Linear(3, 3).to(self.device)

    def act(self, state):
        state = torch.tensor(state)
        if self.on_gpu:  # want: PF403 note
            state = state.cuda()
        return self.net(state)


agent, keeper = Agent(torch.cuda.is_available()), Keeper(torch.cuda.is_available())
for one in (agent, keeper):
    one.act([1.0, 2.0, 3.0])
    one.net.cpu()
    one.use_cuda = one.on_gpu = False
    print(one.act([1.0, 2.0, 3.0]))
