# Attributes are set whose names are not written out: any tensor of the object may be moved.
import torch
import torch.nn as nn

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
net = nn.Linear(3, 2).to(device)


class Named:
    def __init__(self, x, y):
        self.x, self.y = x, y

    def to(self, device):
        for name, value in vars(self).items():
            setattr(self, name, value.to(device))
        return self


class Items(Named):
    def to(self, device):
        for name, value in self.__dict__.items():
            self.__dict__[name] = value.to(device)
        return self


class Update(Named):
    def to(self, device):
        self.__dict__.update({name: value.to(device) for name, value in vars(self).items()})
        return self


one = Named(torch.ones(2, 3), torch.tensor([0, 1])).to(device)
two = Items(torch.ones(2, 3), torch.tensor([0, 1])).to(device)
three = Update(torch.ones(2, 3), torch.tensor([0, 1])).to(device)
for batch in (one, two, three):
    print(nn.functional.cross_entropy(net(batch.x), batch.y))
print(net(one.x), net(two.x), net(three.x))
