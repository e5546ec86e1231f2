# A tensor stays on the CPU if nothing of an argument's device meets it, if it has no dimension, or if the code asks for the device.
# run: device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
# run: print(on_host(torch.ones(4, device=device)).sum())
# run: print(index(torch.ones(4, device=device)).sum())
# run: print(number(torch.ones(4, device=device)).sum())
# run: print(each_device(torch.ones(4, device=device)).sum())
# run: print(sizes(torch.ones(4, device=device)))
# run: print(cpu_alone(torch.ones(4)).sum())
# run: print(copied(torch.ones(4, device=device)).sum())
# run: print(taken_there(torch.ones(4, device=device)).sum())
import torch


def taken_there(x):
    table = torch.zeros(4)
    table[0] = 1.0
    table = torch.as_tensor(table, device=x.device)
    return table + x


def on_host(x):
    device = x.device
    x = x.cpu()
    steps = torch.arange(4)
    return (x * steps).to(device)


def index(x):
    shift = torch.zeros(4, device=x.device)
    order = torch.tensor([2, 1, 0, 3])
    return x[order] + shift


def number(x):
    shift = torch.zeros(4, device=x.device)
    scale = torch.tensor(0.5)
    return x * scale + shift


def each_device(x):
    if x.device.type == "cuda":
        steps = torch.arange(4, device="cuda")
    else:
        steps = torch.arange(4)
    return x * steps


def sizes(x):
    lengths = torch.tensor([4, 4])
    shift = torch.zeros(4, device=x.device)
    return lengths.sum(), (x + shift).sum()


def cpu_alone(x):
    steps = torch.arange(4)
    return x * steps


def copied(x):
    table = torch.zeros(4)
    table.copy_(x)
    return table.to(x.device) + x
