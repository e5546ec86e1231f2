# The batch itself is the arguments of the model: each of its tensors is moved.
# options: unsafe
# run: rows = [{"x": torch.ones(3), "mask": torch.ones(3)} for _ in range(4)]
# run: d = torch.device("cuda" if torch.cuda.is_available() else "cpu")
# run: torch.manual_seed(0)
# run: print(by_name(rows, d), by_position([(torch.ones(3), torch.ones(3))] * 4, d))
import torch
from torch import nn
from torch.utils.data import DataLoader


class Masked(nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = nn.Linear(3, 4)

    def forward(self, x, mask, scale=None):
        return self.layer(x) * mask.sum()


def by_name(rows, device):
    model = Masked().to(device)
    loader = DataLoader(rows, batch_size=2)
    return in_a_loop(model, loader, device)


def in_a_loop(model, loader, device):
    shapes = []
    for batch in loader:  # want: PF301 unsafe, warning
        shapes.append(model(**batch).shape)
    return shapes


def by_position(rows, device):
    model = Masked().to(device)
    for batch in DataLoader(rows, batch_size=2):  # want: PF301 unsafe, warning
        return model(*batch).shape
