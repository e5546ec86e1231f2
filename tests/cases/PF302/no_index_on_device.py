"""Indices that are right where they are: of the CPU, one number, moved back, or into what may lie on the device already."""
import torch

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")


def one_number(n):
    order = torch.randperm(n).to(device)
    table = torch.randn(n, 3)
    first = order[0]
    return table[first], table[order[1]], table[int(order[2])], [table[i] for i in order]


def moved_back(n):
    order = torch.randperm(n).to(device)
    table = torch.randn(n, 3)
    return table[order.cpu()], table[order[:2].tolist()], table[order.to("cpu")]


def index_of_the_host(n):
    order = torch.randperm(n)
    table = torch.randn(n, 3).to(device)
    return table[order], table[order > 2]


def given(table, n):
    order = torch.randperm(n).to(device)
    return table[order]


def moved_first(n):
    table = torch.randn(n, 3)
    table = table.to(device)
    order = torch.randperm(n).to(device)
    return table[order]


def lists(n):
    order = torch.randperm(n).to(device)
    names = [str(i) for i in range(n)]
    return names[order[0]], {0: 1}.get(order[0].item())
