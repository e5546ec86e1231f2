# options: unsafe
"""Tensors made of the parts of one batch: one that is not moved meets one that is."""
from collections import namedtuple

import torch

Batch = namedtuple("Batch", "state reward done")
device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
net = torch.nn.Linear(2, 1).to(device)


def learn(transitions):
    batch = Batch(*zip(*transitions))
    state = torch.stack(batch.state).to(device)
    reward = torch.tensor(batch.reward).to(device)
    value = net(state).squeeze(1)
    done = torch.tensor(batch.done).float().to(device)  # want: PF302 unsafe, warning
    return (reward + value * (1 - done)).mean()


def evaluate(transitions):
    states, rewards, ends = zip(*transitions)
    reward = torch.tensor(rewards).to(device)
    done = torch.tensor(ends).to(device)  # want: PF302 unsafe, warning
    return (reward * done.float()).sum()
# run: data = [(torch.ones(2), 1.0, 0), (torch.zeros(2), 2.0, 1)]
# run: print(learn(data).item() > -100, evaluate(data).item())
