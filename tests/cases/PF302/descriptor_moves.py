# A descriptor may move the tensor that an attribute is set to.
import torch
import torch.nn as nn

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
net = nn.Linear(3, 2).to(device)


class OnDevice:
    def __set_name__(self, owner, name):
        self.key = "_" + name

    def __get__(self, obj, owner=None):
        return obj.__dict__[self.key]

    def __set__(self, obj, value):
        obj.__dict__[self.key] = value.to(device)


class Batch:
    x = OnDevice()


class Pair(Batch):
    y = OnDevice()


batch = Pair()
batch.x, batch.y = torch.ones(2, 3), torch.tensor([0, 1])
loss = nn.functional.cross_entropy(net(batch.x), batch.y)
