# rules: PF401,PF402
"""A comment behind a use of CUDA that gives a reason for it, and comments that give none."""
import torch


def drawn(n):
    w = torch.empty(n, n, device="cuda")  # use cuda to match the random algorithm  # want: PF402 unsafe
    torch.nn.init.xavier_normal_(w)
    return w


def summed(rows):
    return rows.sum().cuda()  # the backend only works with CUDA tensors  # want: PF401 unsafe


def made(n):
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    rows = torch.ones(n, 2, device=device)  # rows of the table  # want: PF401
    columns = torch.zeros(2, n, device=device)  # copied while the GPU works  # want: PF401
    both = rows @ columns.to(device)  # rows.cuda() @ columns.cuda()  # want: PF401
    return both


def chosen(n):
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    return torch.ones(n, device=device)  # or on the CPU, without CUDA  # want: PF401


# after: unsafe
# run: print(drawn(2).shape, summed(torch.ones(2)), made(2), chosen(2))
