# Other names of what is moved are still on the CPU; modules are moved as well; a second method may set the attribute.
# run: other_name(torch.ones(2, 3)); modules([nn.Linear(3, 2)], torch.ones(2, 3)); other_item([torch.ones(2, 3)])
# run: keeper = Keeper(); keeper.set_input({"x": torch.ones(2, 3)}); keeper.reset(torch.ones(2, 3)); keeper.forward()
import torch
from torch import nn

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")


def other_name(x):
    net = nn.Linear(3, 2)
    y = x.to(device)
    return net(x), y


def modules(nets, x):
    first = nets[0].to(device)
    placed = [net.to(device) for net in nets]
    return [net(x.to(device)) for net in placed], first(x.to(device))


def other_item(batch):
    net = nn.Linear(3, 2)
    moved = [t.to(device) for t in batch]
    return net(batch[0]), moved


class Keeper:
    def __init__(self):
        self.net = nn.Linear(3, 2)

    def set_input(self, batch):
        self.x = batch["x"].to(device)

    def reset(self, x):
        self.x = x

    def forward(self):
        return self.net(self.x)
