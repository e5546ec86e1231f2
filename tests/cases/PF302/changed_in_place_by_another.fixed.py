"""`out *= scale`: the operand on the CPU is the one that moves, not the name that is changed in place."""
import torch
from torch import nn

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
torch.manual_seed(0)
net = nn.Linear(3, 3).to(device)


def operand_of_another(rows):
    seen, scale = [], torch.ones(3)
    for row in rows:
        out = net(row.to(device))
        out *= scale.to(device)  # want: PF302
        seen.append(out)
    return seen


def made_where_it_is_used(row):
    out = net(row.to(device))
    out += torch.ones(3).to(device)  # want: PF302
    return out


def made_before(row):
    shift = torch.ones(3, device=device)  # want: PF302
    out = net(row.to(device))
    out -= shift
    return out


def item(row):
    out = net(row.to(device))
    out[0] += torch.ones(3).to(device)  # want: PF302
    return out


def number(row):
    out = net(row.to(device))
    out *= torch.tensor(2.0)
    return out


def both_on_the_device(row):
    out = net(row.to(device))
    out *= torch.ones(3, device=device)
    return out


# run: print(operand_of_another([torch.ones(3)])[0].sum().item(), made_where_it_is_used(torch.ones(3)).sum().item())
# run: print(made_before(torch.ones(3)).sum().item(), item(torch.ones(2, 3)).sum().item())
# run: print(both_on_the_device(torch.ones(3)).sum().item())
