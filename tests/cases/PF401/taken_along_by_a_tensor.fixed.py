"""What `.type_as(w)` and `.to(w)` give lies where `w` does: that device is there already, and no new one is defined."""
import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.l = nn.Linear(3, 3)

    def forward(self, x, w):
        a = torch.zeros(2, 3, device=w.device).type_as(w)  # want: PF401
        b = torch.ones(2, 3, device=self.l.weight.device).to(self.l.weight)  # want: PF401
        c = torch.randn(3).to(x.device).type_as(x)  # want: PF401
        return self.l(x) + a + b + w, c


def typed(rows, kind):  # it may be a type
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    return torch.zeros(2, 3, device=device).to(kind)  # want: PF401


def changing(rows):  # it would give another one
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    return torch.zeros(2, 3, device=device).type_as(rows.pop())  # want: PF401


# run: at = "cuda" if torch.cuda.is_available() else "cpu"
# run: print(Net().to(at)(torch.zeros(2, 3, device=at), torch.ones(2, 3, device=at))[0].shape)
# run: print(typed([], torch.float32).shape, changing([torch.zeros(1)]).shape)
