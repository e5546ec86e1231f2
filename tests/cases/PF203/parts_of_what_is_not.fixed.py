"""The same helper, of a module that is placed only below."""
import torch
from torch import nn

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")


def groups(model):
    params = []
    for m in model.modules():
        params += [{"params": m.parameters(recurse=False)}]
    return params


def train(checkpoint):
    model = nn.Linear(3, 2)
    model.to(device)
    optimizer = torch.optim.Adam(groups(model))  # want: PF203
    optimizer.load_state_dict(checkpoint)
    model(torch.ones(2, 3).to(device)).sum().backward()
    optimizer.step()


first = nn.Linear(3, 2)
adam = torch.optim.Adam(groups(first))
first(torch.ones(2, 3)).sum().backward()
adam.step()
train(adam.state_dict())
