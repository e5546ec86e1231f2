"""What is called torch and comes from a star import is torch."""
import torch
# run: print(to_rows(zeros(6), 2).shape)
from torch.nn.functional import *
from torch import zeros


def to_rows(data, count):
    data = data.view(count, -1).t().contiguous()
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    # want: PF403
    data = data.to(device)
    return data
