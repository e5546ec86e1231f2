# options: unsafe
# run: print(centres(torch.rand(3, 4) * 8, 8, device).tolist())
# run: print("%.4f" % joined(torch.randn(2), torch.randn(2), device)[0].sum().item())
"""Of what a function unpacks together, or makes in the same words, one thing is not moved."""
import random

import torch
from torch import nn

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")


class Memory:
    def __init__(self):
        self.kept = [(torch.randn(4), i % 2, torch.randn(4)) for i in range(8)]

    def sample(self, n):
        return zip(*random.sample(self.kept, n))


def centres(boxes, width, device):
    column = torch.floor((boxes[:, 0] + boxes[:, 2]) * 0.5).to(device)  # want: PF302 unsafe, warning
    row = torch.floor((boxes[:, 1] + boxes[:, 3]) * 0.5).to(device)
    at = row.long() * width
    return at + column.long()


def td_loss(net, memory):
    state, action, after = memory.sample(4)
    state = torch.stack(state)
    after = torch.stack(after)
    after = after.to(device)  # want: PF302 unsafe, warning
    state = state.to(device)
    action = torch.tensor(action).to(device)
    q = net(state).gather(1, action.unsqueeze(1)).squeeze(1)
    return (q - net(after).max(1)[0]).pow(2).mean()


def joined(features, weights, device):
    features = features.to(device)  # want: PF302 unsafe, warning
    weights = weights.to(device)
    both = torch.cat([features, weights])
    features = features.cpu()
    weights = weights.cpu()
    return both, features + weights


torch.manual_seed(0)
random.seed(0)
net = nn.Linear(4, 2).to(device)
print("%.4f" % td_loss(net, Memory()).item())
