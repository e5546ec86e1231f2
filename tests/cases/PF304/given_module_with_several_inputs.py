# options: unsafe
# A module that the constructor is given, or a part of one, gets an argument of forward and a tensor that is made on the CPU.
# run: net = Both(torch.nn.Bilinear(3, 3, 2)).to(device)
# run: net(torch.ones(4, 3, device=device)), net(torch.ones(4, 3, device=device), torch.ones(4, 3, device=device))
# run: Shaped(torch.nn.Bilinear(3, 3, 2)).to(device)(torch.ones(4, 3, device=device))
# run: bert = torch.nn.Module()
# run: bert.embeddings = Embeddings()
# run: Parts(bert).to(device)(torch.ones(4, device=device))
import torch
from torch import nn


class Both(nn.Module):
    def __init__(self, net):
        super().__init__()
        self.net = net

    def forward(self, x, y=None):
        if y is None:
            y = torch.zeros(len(x), 3)  # want: PF304 unsafe, warning
        return self.net(x, y)


class Embeddings(nn.Module):
    def forward(self, input_ids, token_type_ids):
        return input_ids + token_type_ids[:, 0]


class Parts(nn.Module):
    def __init__(self, bert):
        super().__init__()
        self.bert = bert

    def forward(self, ids):
        types = torch.zeros(len(ids), 4, dtype=torch.long)  # want: PF304 unsafe, warning
        return self.bert.embeddings(input_ids=ids, token_type_ids=types)


class Shaped(nn.Module):
    def __init__(self, net):
        super().__init__()
        self.net = net

    def forward(self, x=None, states=None):
        if x is not None:
            shape = x.size()
        else:
            shape = states.size()[:-1]
        return self.net(x, torch.ones(shape))  # want: PF304 unsafe, warning


device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
models = [Both(nn.Bilinear(3, 3, 2)).to(device), Parts(nn.Module()).to(device)]
