"""What is called torch and comes from a star import is torch."""
# run: print(to_rows(zeros(6), 2).shape)
from torch.nn.functional import *
from torch import zeros


def to_rows(data, count):
    data = data.view(count, -1).t().contiguous()
    if torch.cuda.is_available():  # want: PF403
        data = data.cuda()
    return data
