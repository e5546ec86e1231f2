"""The devices are there already, or nothing goes to one: the CPU, or a device of the file, is what its authors would write."""
import torch
import torch.nn as nn
from nets import make

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")


def restored(path):
    checkpoint = torch.load(path)  # want: PF405 unsafe
    net = make(checkpoint["size"])
    net.load_state_dict(checkpoint["model"])
    return net.to(device)


def scaled(path, net):
    state = torch.load(path)  # want: PF405 unsafe
    for name, value in net.named_parameters():
        value.data.copy_(state[name].data * 0.5)
    return nn.Sequential(net, nn.Linear(3, 1)).to(device)
