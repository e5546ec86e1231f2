import torch

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")


def read_before(path):
    table = torch.load(path)
    print(table.device)
    return table.to(device)


def to_a_gpu(path):
    return torch.load(path).to("cuda:1")


def a_part(path):
    table = torch.load(path)
    rows = table["rows"].to(device)
    return rows, table["bias"].cuda()


def another_type(path):
    return torch.load(path).to(torch.float16)


def its_copy(path):
    table = torch.load(path)
    moved = table.to(device)
    return moved, table


def to_where_something_lies(path, x):
    return torch.load(path).to(x.device)


def mapped(path):
    return torch.load(path, map_location="cpu").to(device)
