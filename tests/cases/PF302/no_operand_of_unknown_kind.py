# options: unsafe
# The operand is another name of what is moved, was bound anew, or is moved back.
# run: other_name({"x": torch.ones(2, 3)}); bound_anew(torch.ones(2, 3)); back(torch.ones(2, 3)); number(torch.ones(2, 3))
import torch

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")


def other_name(batch):
    x = batch["x"]
    y = x.to(device)
    return torch.cat((x, torch.zeros(2, 3))), y


def bound_anew(x):
    before = x
    x = x.to(device)
    kept, x = x, before
    return torch.cat((before, torch.zeros(2, 3))), kept


def back(x):
    x = x.to(device)
    x = x.cpu()
    return torch.cat((x, torch.zeros(2, 3)))


def number(x):
    x = x.to(device)
    return x * torch.tensor(2.0)
