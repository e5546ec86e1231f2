# The loop moves what it makes, or the call; the module gets nothing of the loop; what is made there is for something else.
import torch

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")


def made_there(model, size, steps):
    row = torch.ones(1, size).to(device)
    for _ in range(steps):
        out = model(row)
        row = torch.ones(1, size).to(device)
    return out


def moved_for_the_call(model, size, steps):
    row = torch.ones(1, size).to(device)
    for _ in range(steps):
        out = model(row.to(device))
        row = torch.ones(1, size)
    return out


def before_the_loop(model, size, steps):
    row = torch.ones(1, size).to(device)
    out = model(row)
    for _ in range(steps):
        row = torch.ones(1, size)
        print(row)
    return out


def moved_at_once(model, size, steps):
    row = torch.ones(1, size).to(device)
    for _ in range(steps):
        row = torch.ones(1, size)
        row = row.to(device)
        out = model(row)
    return out
