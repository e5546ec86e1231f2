"""Each run of these needs CUDA after the fixes, too: no load gets a location that only matters without."""
import torch
import torch.nn as nn
from nets import make


def restored(path):
    checkpoint = torch.load(path)  # want: PF405 report
    net = make(checkpoint["size"])
    net.load_state_dict(checkpoint["model"])
    total = torch.cuda.get_device_properties(0).total_memory
    return net, total


def placed(x):
    layer = nn.Linear(3, 1).cuda()
    return layer(x.cuda())
