"""No device of a parameter: its values may be on the CPU, or the class runs nothing like a module."""
# given: Base = object
# run: x = torch.ones(2, 3, device="cuda" if torch.cuda.is_available() else "cpu")
# run: print(Table().scaled(x).sum().item(), counted(x, x[0]).sum().item())
import torch


class Table(Base):
    def scaled(self, x):
        device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
        scale = torch.ones(x.shape, device=device)  # want: PF401
        return x * scale


def counted(points, number):
    number = number.cpu().long().view(-1, 1)
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    steps = torch.arange(3, device=device)  # want: PF401
    return steps * points.shape[0] + int(number[0])
