"""Moves that are thrown away where the program may go on to its end: what takes the tensor afterwards is another name of it, one of
several ways to it, an attribute or a function inside, and may want it on the CPU."""
import torch
from torch import nn


class Table(nn.Module):
    def __init__(self, weight, index):
        super().__init__()
        self.weight = nn.Parameter(weight)
        self.register_buffer("index", index)

    def forward(self):
        return self.weight[self.index]


def tables(layers, fresh):
    made = []
    for layer in layers:
        weight, index = layer.weight, layer.index
        if fresh:
            weight = torch.rand(weight.size())
            index = torch.cat((torch.arange(3), torch.randint(0, 3, (2,))), 0)
            index.cuda()  # want: PF303 unsafe, warning
            print(index)
        made.append(Table(weight, index))
    return made


def handed(layer, fresh, use):
    index = layer.index
    if fresh:
        index = torch.arange(3)
        index.cuda()  # want: PF303 unsafe, warning
    use(index)


class Held:
    def __init__(self, n):
        self.index = torch.arange(n)
        self.index.cuda()  # want: PF303 unsafe, warning

    def run(self, rows):
        return self.take(rows, self.index)


def kept(n, take):
    index = torch.arange(n)
    index.cuda()  # want: PF303 unsafe, warning

    def rows_of(rows):
        return take(rows, index)

    print(index.shape)
    return rows_of


# machines: 1,2
# before: clean: all that is made stays on the CPU
# run: from types import SimpleNamespace
# run: layer = SimpleNamespace(weight=torch.rand(3, 2), index=torch.arange(3))
# run: print([table().shape for table in tables([layer], True)])
# run: handed(layer, True, lambda index: print(layer.weight[index]))
# run: held = Held(2)
# run: held.take = lambda rows, index: rows[index]
# run: print(held.run(layer.weight), kept(2, held.take)(layer.weight))
