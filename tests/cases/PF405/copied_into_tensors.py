# before: clean: it loads on the machine on which it has saved
# run: print(by_name(made()).weight.sum().item(), at_once(made()).weight.sum().item())
"""`copy_` takes values from any device, and leaves the tensor where it is."""
import torch
import torch.nn as nn

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
torch.save(nn.Linear(3, 1).to(device).state_dict(), "state.pt")
torch.save(torch.ones(1, 3, device=device), "weight.pt")


def made():
    return nn.Linear(3, 1).to(device)


def by_name(net):
    loaded = torch.load("state.pt")  # want: PF405
    own = net.state_dict()
    for key, value in loaded.items():
        if isinstance(value, nn.Parameter):
            value = value.data
        if key in own.keys():
            own[key].copy_(value.detach().clone().float())
    return net


def at_once(net):
    net.weight.data.copy_(torch.load("weight.pt"))  # want: PF405
    return net
