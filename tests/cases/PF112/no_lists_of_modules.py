"""Lists whose modules something places, one by one or as parts of a container."""
import torch
from torch import nn

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
torch.manual_seed(1)
x = torch.ones(8, 4).to(device)


def place(modules):
    for module in modules:
        module.to(device)


some = [nn.Linear(4, 2) for _ in range(3)]
some[0].to(device)
print(some[0](x).sum().item() > -100)
for module in some[:1]:
    print(module(x).sum().item() > -100)

by_number = [nn.Linear(4, 2) for _ in range(3)]
for number in range(3):
    by_number[number].to(device)
for module in by_number:
    print(module(x).sum().item() > -100)

again = [nn.Linear(4, 2) for _ in range(3)]
again = [module.to(device) for module in again]
for module in again:
    print(module(x).sum().item() > -100)

replaced = [nn.Linear(4, 2) for _ in range(3)]
for number, module in enumerate(replaced):
    replaced[number] = module.to(device)
for module in replaced:
    print(module(x).sum().item() > -100)

held = [nn.Linear(4, 2) for _ in range(3)]
nn.ModuleList(held).to(device)
for module in held:
    print(module(x).sum().item() > -100)

given = [nn.Linear(4, 2) for _ in range(3)]
place(given)
for module in given:
    print(module(x).sum().item() > -100)
