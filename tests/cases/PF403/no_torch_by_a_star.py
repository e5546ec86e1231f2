"""What is called torch and bound here is what it is bound to."""
# run: print(to_rows(zeros(6), 2).shape)
from torch.nn.functional import *
from torch import zeros
from types import SimpleNamespace

torch = SimpleNamespace(cuda=SimpleNamespace(is_available=lambda: False))


def to_rows(data, count):
    data = data.view(count, -1).t().contiguous()
    if torch.cuda.is_available():  # want: PF403 note
        data = data.cuda()
    return data
