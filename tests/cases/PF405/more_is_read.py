# options: unsafe
# not run: it reads files that it does not make
import torch
import torch.nn as nn

net = nn.Linear(4, 2).cuda()
checkpoint = torch.load("last.pt")  # want: PF405 unsafe
net.load_state_dict(checkpoint["net"])
best = checkpoint["best"]


def restore(model, path):
    model.load_state_dict(torch.load(path).state_dict())  # want: PF405 unsafe


def assigned(path):
    other = nn.Linear(4, 2)
    other.load_state_dict(torch.load(path), assign=True)  # want: PF405 unsafe
    return other.cuda()


def merged(path):
    other = nn.Linear(4, 2).cuda()
    state = torch.load(path)  # want: PF405 unsafe
    state = {k: v + 1 for k, v in state.items()}
    other.load_state_dict(state)
    return other


class Own(nn.Module):
    def load_state_dict(self, state, strict=True):
        self.kept = state

    def restore(self, path):
        self.load_state_dict(torch.load(path))  # want: PF405 unsafe
