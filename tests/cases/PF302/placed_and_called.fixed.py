# What was moved to a device and is called is a module: it returns tensors of that device.
# options: unsafe
# given: import torch; build = lambda: torch.nn.Linear(3, 2)
# run: print(Trainer(torch.nn.MSELoss()).step(torch.ones(4, 3)), function(torch.nn.Linear(3, 2), torch.ones(4, 3)))
import torch
from torch import nn
import torch.nn.functional as F

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")


class Trainer:
    """The module of a builder, and a criterion that is an argument: the output of the module and the target are its first two tensors."""

    def __init__(self, criterion):
        torch.manual_seed(0)
        self.critic = build()
        self.critic.to(device)
        self.known = nn.Linear(3, 2).to(device)
        self.criterion = criterion
        self.bce = nn.BCEWithLogitsLoss()

    def step(self, batch):
        x = batch.to(device)
        y = torch.ones(x.shape[0], 2, device=device)  # want: PF302 unsafe, warning
        z = torch.zeros(x.shape[0], 2, device=device)  # want: PF302 unsafe, warning
        return [round(v.item(), 4) for v in (self.bce(self.critic(x), y), self.criterion(self.known(x), z))]


def function(net, batch):
    torch.manual_seed(0)
    net.to(device)
    x = batch.to(device)
    target = torch.ones(4, 2, device=device)  # want: PF302 unsafe, warning
    return F.mse_loss(net(x) * 0, target).item()
