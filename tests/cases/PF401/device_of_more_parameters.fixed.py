# rules: PF401,PF407
"""The device of a parameter: of a class with a `forward` whose base is in another file, of a static method, of a tensor that is filled by
`out=`, of a parameter that is known by a chain of methods."""
# given: import torch; Base = torch.nn.Module
# run: device = "cuda" if torch.cuda.is_available() else "cpu"
# run: x = torch.ones(2, 3, device=device)
# run: print(Grid()(x).sum().item(), Grid.spread(x).sum().item(), masked(x).sum().item(), first(x, x[0]).sum().item())
import torch


class Grid(Base):
    def forward(self, coordinates):
        cell = torch.ones(coordinates.shape, device=coordinates.device)  # want: PF401
        return coordinates * cell

    @staticmethod
    def spread(y):
        y = y.view(-1, y.size(-1))
        count = torch.ones(y.size(0), 1, device=y.device)  # want: PF401
        return count + y.sum(dim=0)


def masked(widths):
    steps = torch.arange(0, 3, dtype=torch.int64, device=widths.device)  # want: PF407
    return steps < widths.view(-1, 3)


def first(points, number):
    number = number.round().long().view(-1, 1)
    steps = torch.arange(3, device=number.device)  # want: PF401
    return steps < number
