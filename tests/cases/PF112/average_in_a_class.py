"""A class that copies what it is given: where another program makes it, the module may lie on the CPU."""
# after: error: only reported
import copy

import torch
from torch import nn

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")


class Average:
    def __init__(self, model, decay):
        self.model = copy.deepcopy(model)  # want: PF112 report
        self.decay = decay

    def update(self, model):
        with torch.no_grad():
            for e, m in zip(self.model.state_dict().values(), model.state_dict().values()):
                e.copy_(self.decay * e + (1 - self.decay) * m)


if __name__ == "__main__":
    net = nn.Linear(4, 2)
    average = Average(net, 0.9)
    net.to(device)
    average.update(net)
