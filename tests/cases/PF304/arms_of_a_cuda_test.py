# rules: PF304, PF308
"""What is made where a test has said that there is no CUDA lies where the module does."""
import torch
from torch import nn

use_cuda = torch.cuda.is_available()


class Tagger(nn.Module):
    def __init__(self):
        super().__init__()
        self.rnn = nn.GRU(3, 3)

    def hidden(self, count):
        if use_cuda:
            return torch.zeros(1, count, 3).cuda()
        return torch.zeros(1, count, 3)

    def hidden_inline(self, count):
        return torch.zeros(1, count, 3).cuda() if use_cuda else torch.zeros(1, count, 3)

    def forward(self, x):
        if not use_cuda:
            x = x + torch.zeros(1, 1, 3)
        mask = torch.ones(3, 3).cuda() if x.is_cuda else torch.ones(3, 3)
        other = torch.ones(3, 3) if not x.is_cuda else torch.ones(3, 3).cuda()
        x = x * mask * other
        for _ in range(2):
            if x.device.type != "cpu":
                continue
            x = x + torch.ones(3, 3)
        return self.rnn(x, self.hidden(3))[0] + self.rnn(x, self.hidden_inline(3))[0]


place = torch.device("cuda" if use_cuda else "cpu")
print(Tagger().to(place)(torch.ones(2, 3, 3, device=place)).shape)
