# options: unsafe
"""New devices are defined before what reads them first, in decorators, headers of loops, lines of several statements and all arms of a try."""
import torch


def decorated(wrap):
    print(1)

    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    @wrap(torch.ones(3, device=device))  # want: PF401 unsafe
    def inner(x):
        return x

    y = torch.ones(3, device=device)  # want: PF401 unsafe
    return inner(y)


def several():
    print(2)
    x = 1
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    y = torch.ones(3, device=device)  # want: PF401
    while torch.ones(3, device=device).sum() > x:  # want: PF401
        x += 3
    try:
        z = torch.ones(2, device=device)  # want: PF401
    finally:
        q = torch.zeros(3, device=device)  # want: PF401
    return y, z, q, lambda: torch.ones(4, device=device)  # want: PF401


# run: print(decorated(lambda rows: lambda function: lambda x: function(x) + rows), several()[3]())
