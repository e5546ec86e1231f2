"""The flag is not the object's own: what is set from outside counts when a method runs, not when the object was made."""
import torch
from torch import nn


class Agent:
    def __init__(self, flag):
        self.use_cuda = flag
        self.net = nn.Linear(3, 3)
        device = torch.device("cuda" if self.use_cuda else "cpu")
        # want: PF403
        self.net.to(device)

    def act(self, state):
        device = torch.device("cuda" if self.use_cuda else "cpu")
        state = torch.tensor(state, device=device)  # want: PF403
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
