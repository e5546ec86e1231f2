# run: print(pick("cpu"), put(torch.ones(2), "cpu"))
import torch


def pick(name):
    match name:
        case "mps":
            return torch.device("mps")
        case "xpu":
            device = torch.device("xpu")
        case _:
            device = torch.device("cpu")
    return device


def put(x, name):
    match name:
        case "mps":
            x = x.to("mps")
    return x
