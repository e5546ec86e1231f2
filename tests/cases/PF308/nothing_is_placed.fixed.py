"""A script that trains where it was started, and places nothing."""
import torch
from torch import nn


class Tagger(nn.Module):
    def __init__(self):
        super().__init__()
        self.rnn = nn.GRU(3, 4)

    def forward(self, x):
        h0 = torch.zeros(1, x.size(1), 4, device=x.device)  # want: PF308 warning
        return self.rnn(x, h0)[0]


torch.manual_seed(0)
net = Tagger()
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
for _ in range(2):
    net(torch.ones(2, 3, 3)).sum().backward()
    optimizer.step()
# before: clean: nothing of it is placed
