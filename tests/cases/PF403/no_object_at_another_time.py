# The device is made before the options are parsed; the guard asks them afterwards.
import torch
from torch import nn

from options import Options

opt = Options()
device = torch.device("cuda" if opt.use_gpu else "cpu")


def build():
    net = nn.Linear(2, 2)
    if opt.use_gpu:  # want: PF403 report
        net.cuda()
    return net


if __name__ == "__main__":
    opt.parse()
    build()
