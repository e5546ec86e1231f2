# The class of the module, its caller or a function may place it.
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP


class Net(nn.Module):
    def __init__(self, rank):
        super().__init__()
        self.fc = nn.Linear(3, 2)
        self.to(rank)

    def forward(self, x):
        return self.fc(x)


def of_class(rank):
    return DDP(Net(rank), device_ids=[rank])


def of_caller(model, rank):
    return DDP(model, device_ids=[rank])


def of_function(rank, place):
    model = nn.Linear(3, 2)
    place(model, rank)
    return DDP(model, device_ids=[rank])


class Trainer:
    def __init__(self, rank):
        self.model = nn.Linear(3, 2)
        self.rank = rank

    def place(self):
        self.model.to(self.rank)

    def wrap(self):
        self.model = DDP(self.model, device_ids=[self.rank])
