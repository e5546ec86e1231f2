# options: unsafe
"""What is moved goes straight into torch, or is an operand: it is a tensor."""
import torch
import torch.nn.functional as F
from torch.autograd import Variable


def to_var(x):
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    return Variable(x.to(device))  # want: PF401


def weighed(losses, weights, names):
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    return sum(losses[name] * weights[name].to(device) for name in names)  # want: PF401 unsafe


def joined(parts):
    first = parts.pop()
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    return torch.cat([first.to(device), torch.ones(2, device=device)])  # want: PF401 # want: PF401


def activated(row):
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    return F.relu(row.to(device, non_blocking=True))  # want: PF401
# run: print(to_var(torch.ones(2)).sum().item(), joined([torch.ones(2)]).sum().item())
# run: print(weighed({"a": torch.ones(1).cuda() if torch.cuda.is_available() else torch.ones(1)}, {"a": torch.ones(1)}, ["a"]))
# run: print(activated(torch.ones(2)).sum().item())
