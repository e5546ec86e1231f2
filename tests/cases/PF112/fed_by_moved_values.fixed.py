# A module that is never placed is called with values of unknown kind that the code moves: they can only be tensors there.
# run: loop([torch.ones(2, 3)]); pair((torch.ones(2, 3), torch.ones(2, 3))); several([torch.ones(2, 3)]); by_key({"x": torch.ones(2, 3)})
# run: built([torch.ones(2, 3)])
import torch
from torch import nn

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")


def loop(items):
    net = nn.Linear(3, 2).to(device)  # want: PF112
    for x in items:
        x = x.to(device)
        net(x)


def pair(batch):
    net = nn.Linear(3, 2).to(device)  # want: PF112
    x, y = batch
    x, y = x.to(device), y.to(device)
    return net(x) + net(y.float())


def several(batch):
    net = nn.Linear(3, 2).to(device)  # want: PF112
    x, *_ = tuple(t.to(device) for t in batch)
    parts = [t.to(device) for t in batch]
    return net(parts[0])


def by_key(batch):
    net = nn.Linear(3, 2).to(device)  # want: PF112
    batch = {k: v.to(device) if torch.is_tensor(v) else v for k, v in batch.items()}
    return net(batch["x"])


def build():
    return nn.Linear(3, 2)


def built(items):
    net = build().to(device)  # want: PF112
    for x in items:
        x = x.to(device)
        net(x)
