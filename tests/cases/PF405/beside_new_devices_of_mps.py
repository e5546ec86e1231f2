"""The file knows another accelerator: on such a machine the load may go there, not to the CPU."""
import torch
import torch.nn as nn
from nets import make


def restored(path):
    checkpoint = torch.load(path)  # want: PF405 unsafe
    net = make(checkpoint["size"])
    net.load_state_dict(checkpoint["model"])
    return net


def placed(net):
    layer = nn.Linear(3, 1).cuda()
    return layer(net(torch.ones(1, 3).cuda()))


def on_a_mac(net):
    return net.to("mps")
