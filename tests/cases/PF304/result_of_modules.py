# options: unsafe
# machines: 1,2
# run: device = torch.device("cuda")
# run: net = Agent().to(device)
# run: print("%.3f" % float(net.score(torch.ones(2, 3, device=device), 0).sum()))
# run: print("%.3f" % float(net.noisy(torch.ones(2, 3, device=device)).sum()))
# The result of a module is assumed to be on its device.
import torch
from torch import nn


def layer_init(layer):
    nn.init.constant_(layer.weight, 0.5)
    nn.init.constant_(layer.bias, 0.5)
    return layer


class Agent(nn.Module):
    def __init__(self):
        super().__init__()
        self.actor = nn.Sequential(layer_init(nn.Linear(3, 3)), nn.Tanh())
        self.heads = nn.ModuleList([layer_init(nn.Linear(3, 3))])

    def score(self, x, head):
        bias = torch.full((2, 3), 0.5)  # want: PF304 unsafe, warning
        return self.heads[head](x) + bias

    def noisy(self, x):
        mean = self.actor(x)
        return mean + torch.zeros(mean.shape)  # want: PF304 unsafe, warning
