# The code of the class decides which value an attribute has; the data of a tensor, and an item of a dict, may be replaced.
import torch
import torch.nn as nn

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
net = nn.Linear(3, 2).to(device)


class Sets:
    def __setattr__(self, name, value):
        object.__setattr__(self, name, value.to(device))


class Gets:
    def __init__(self):
        self.x = torch.ones(1, 3)

    def __getattribute__(self, name):
        return object.__getattribute__(self, name).to(device)


sets, gets = Sets(), Gets()
sets.x = torch.ones(1, 3)
print(net(sets.x), net(gets.x))
x = torch.ones(1, 3)
x.data = x.data.to(device)
batch = {"x": torch.ones(1, 3), "y": torch.tensor([1])}
batch.update({key: value.to(device) for key, value in batch.items()})
print(net(x), nn.functional.cross_entropy(net(batch["x"]), batch["y"]))
