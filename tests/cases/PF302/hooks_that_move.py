# A hook that returns a value may move the inputs or the output; one that returns nothing may not.
import torch
import torch.nn as nn

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
first = nn.Linear(3, 2).to(device)
second = nn.Linear(3, 2).to(device)
third = nn.Linear(3, 2).to(device)
seen = []


def move(module, args):
    return tuple(arg.to(device) for arg in args)


def keep(module, args, output):
    seen.append(output.detach().cpu())


first.register_forward_pre_hook(move)
second.register_forward_hook(lambda module, args, output: output.cpu())
third.register_forward_hook(keep)
print(first(torch.ones(1, 3)).shape)
print((second(torch.ones(1, 3).to(device)) + torch.ones(2)).shape)
print(third(torch.zeros(1, 3)).shape)  # want: PF302
