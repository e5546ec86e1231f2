# A module of the file gets a tensor of the CPU beside one on a device, and computes with both; where the module is cannot be seen.
import torch
from torch import nn


class Propagator(nn.Module):
    def __init__(self, n):
        super().__init__()
        self.gate = nn.Linear(2 * n, n)

    def forward(self, mixed, state, edges, nodes):
        inner = torch.bmm(edges[:, :, :nodes], mixed)
        return self.gate(torch.cat((inner, state[:, :3]), 2))


class Encoder(nn.Module):
    def __init__(self, mix, n):
        super().__init__()
        self.mix = mix
        self.propagator = Propagator(n)

    def forward(self, arrays, nodes):
        if torch.cuda.is_available():
            state = torch.from_numpy(arrays[0]).float()
            edges = torch.from_numpy(arrays[1]).float().to("cuda:0")
        else:
            state = torch.from_numpy(arrays[0]).float()
            edges = torch.from_numpy(arrays[1]).float()
        mixed = self.mix(state)
        return self.propagator(mixed, state, edges, nodes)  # want: PF302 report, warning


class Chooser(nn.Module):
    def forward(self, values, lengths):
        return values[lengths]


class Indexed(nn.Module):
    def __init__(self):
        super().__init__()
        self.choose = Chooser()

    def forward(self, arrays):
        values = torch.from_numpy(arrays[0]).to("cuda")
        where = torch.tensor([0, 1])
        return self.choose(values, where)
